import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/**
 * The keychain process as a file that Node can run, made from the sources as they are now. It stands inside the project,
 * so that it finds keytar.
 */
export async function buildKeychainProcess(): Promise<{ file: string; remove: () => void }> {
  const root = join(import.meta.dirname, '..', '..')
  const folder = mkdtempSync(join(root, 'node_modules', '.keychain-process-'))
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'node20.18',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(root, 'server/secret/keychain-process.ts'),
        external: ['keytar', /^node:/],
        output: { format: 'es', entryFileNames: 'keychain-process.mjs' },
      },
    },
  })
  return {
    file: join(folder, 'keychain-process.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
