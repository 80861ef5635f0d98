import { builtinModules } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { projectFolder } from '../machine/paths.mjs'
import { say } from '../machine/progress.mjs'
import { slimDockerClient } from './docker-client.mjs'
import { notePackages } from './packages.mjs'
import { targets } from './targets.mjs'
import { threadCode } from './thread-code.mjs'

/** What cannot be bundled: native modules, and what loads its own files. */
const external = [
  'electron',
  'keytar',
  '@photostructure/sqlite',
  'playwright',
  /^node:/,
  ...builtinModules.flatMap(name => [name, new RegExp(`^${name}/`)]),
]

/**
 * Bundles what runs in Node with everything that it imports.
 * @param {object} bundle
 * @param {Record<string, string>} bundle.entries the path of each output in `folder`, without its extension, to its source
 * @param {string} bundle.folder
 * @param {import('vite').Rolldown.OutputOptions} bundle.output
 * @param {boolean} [bundle.sourcemap]
 * @param {Set<string>} [bundle.packages] takes the folders of the packages that are in it
 */
export async function bundleNode({ entries, folder, output, sourcemap = false, packages = new Set() }) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: projectFolder,
    logLevel: 'silent',
    publicDir: false,
    plugins: [slimDockerClient(), threadCode(), notePackages(packages)],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: targets.node,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      sourcemap,
      reportCompressedSize: false,
      rolldownOptions: { input: entries, external, onwarn: sayWarning, output },
    },
  })
}

/**
 * Bundles one program in one file. One of test/ finds its neighbours two folders up, as in test/.
 * @param {{name: string, source: string, folder: string}} program the result is `folder/name.js`
 */
export async function bundleProgram({ name, source, folder }) {
  await bundleNode({ entries: { [name]: source }, folder, output: { codeSplitting: false } })
}

/** @param {{message: string}} warning */
export function sayWarning({ message }) {
  say(`! ${stripVTControlCharacters(message)}`)
}
