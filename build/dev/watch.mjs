import { builtinModules } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { targets } from '../bundle/targets.mjs'
import { threadCode } from '../bundle/thread-code.mjs'
import { projectFolder } from '../machine/paths.mjs'
import { say, seconds } from '../machine/progress.mjs'

/**
 * Bundles our own sources each time one of them changes; packages stay outside and are loaded once.
 * @param {object} bundle
 * @param {string} bundle.what for people, such as "The service"
 * @param {Record<string, string>} bundle.entries the path of each output in `folder`, without its extension, to its source
 * @param {string} bundle.folder
 * @param {'es' | 'cjs'} [bundle.format]
 * @param {() => void} bundle.onChange called after each bundling but the first
 * @returns {Promise<void>} when it has been bundled once
 */
export async function watchBundle({ what, entries, folder, format = 'es', onChange }) {
  const { build } = await import('vite')
  const watcher = await build({
    configFile: false,
    root: projectFolder,
    logLevel: 'silent',
    publicDir: false,
    plugins: [threadCode()],
    ssr: { external: true, target: 'node' },
    build: {
      ssr: true,
      target: targets.node,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      reportCompressedSize: false,
      watch: { buildDelay: 30, exclude: ['**/node_modules/**'] },
      rolldownOptions: {
        input: entries,
        external: ['electron', /^node:/, ...builtinModules],
        output: {
          format,
          entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
          codeSplitting: Object.keys(entries).length > 1,
        },
      },
    },
  })
  if (!('on' in watcher)) throw new Error('Vite did not watch.')
  let isFirst = true
  let hasFailed = false
  await new Promise((resolve, reject) => {
    let started = 0
    watcher.on('event', event => {
      if (event.code === 'START') {
        started = performance.now()
        hasFailed = false
      }
      if (event.code === 'ERROR') {
        hasFailed = true
        const message = stripVTControlCharacters(event.error.message)
        if (isFirst) reject(new Error(message))
        else say(`✗ ${what} could not be bundled. ${message}`)
      }
      // The end comes after a failure, too.
      if (event.code !== 'END' || hasFailed) return
      if (!isFirst) {
        say(`✓ ${what} was bundled anew (${seconds(performance.now() - started)})`)
        onChange()
      }
      isFirst = false
      resolve(undefined)
    })
  })
}
