import { external } from '../bundle.mjs'
import { projectFolder } from '../machine/paths.mjs'
import { slimDockerClient } from './docker-client.mjs'
import { targets } from './targets.mjs'
import { threadCode } from './thread-code.mjs'

/**
 * Bundles one program of test/ as the app is bundled, in one file: what it imports finds its neighbours two folders up,
 * as in test/.
 * @param {{name: string, source: string, folder: string}} program the result is `folder/name.js`
 */
export async function bundleProgram({ name, source, folder }) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: projectFolder,
    logLevel: 'warn',
    publicDir: false,
    plugins: [slimDockerClient(), threadCode()],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: targets.node,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { input: { [name]: source }, external, output: { codeSplitting: false } },
    },
  })
}
