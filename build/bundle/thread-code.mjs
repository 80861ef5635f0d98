import { statSync } from 'node:fs'
import { targets } from './targets.mjs'

const suffix = '?thread'

/**
 * Makes `import code from './thread-main.ts?thread'` the code of a worker thread: that module and everything it imports, in
 * one text. So a thread needs no file of its own, and starts in the same way from the packaged app, from the bundle and in
 * tests, which run the sources.
 * @returns {import('vite').Plugin}
 */
export function threadCode() {
  /** @type {Map<string, {code: string, modules: string[], times: string}>} what is bundled again while it is watched */
  const bundled = new Map()
  return {
    name: 'thread-code',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(suffix)) return undefined
      const known = bundled.get(id)
      const isCurrent = known !== undefined && timesOf(known.modules) === known.times
      const { code, modules } = isCurrent ? known : await bundleThread(id.slice(0, -suffix.length))
      if (!isCurrent) bundled.set(id, { code, modules, times: timesOf(modules) })
      for (const file of modules) this.addWatchFile(file)
      return { code: `export default ${JSON.stringify(code)}`, map: null }
    },
  }
}

/** @param {readonly string[]} files */
function timesOf(files) {
  return files.map(file => statSync(file, { throwIfNoEntry: false })?.mtimeMs).join()
}

/** @param {string} file */
async function bundleThread(file) {
  const { build } = await import('vite')
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      write: false,
      target: targets.node,
      minify: false,
      rolldownOptions: { input: file, external: [/^node:/], output: { format: 'cjs', codeSplitting: false } },
    },
  })
  const output = 'output' in result ? result.output : []
  const [chunk] = output
  if (chunk?.type !== 'chunk' || output.length > 1) throw new Error(`${file} is not one thread's code.`)
  return { code: chunk.code, modules: Object.keys(chunk.modules).filter(id => !id.startsWith('\0')) }
}
