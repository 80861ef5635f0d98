import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleNode } from '../../../build/bundle/node.mjs'
import { projectFolder } from '../project-folder.ts'

/**
 * The keychain process as a file that Node can run, made from the sources as they are now. It stands inside the project,
 * so that it finds keytar.
 */
export async function buildKeychainProcess(): Promise<{ file: string; remove: () => void }> {
  const folder = mkdtempSync(join(projectFolder, 'node_modules', '.keychain-process-'))
  await bundleNode({
    entries: { 'keychain-process': join(projectFolder, 'server/secret/keychain/process.ts') },
    folder,
    output: { format: 'es', entryFileNames: '[name].mjs' },
  })
  return {
    file: join(folder, 'keychain-process.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
