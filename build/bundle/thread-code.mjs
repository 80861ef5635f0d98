import { targets } from './targets.mjs'

const suffix = '?thread'

/**
 * Makes `import code from './thread-main.ts?thread'` the code of a worker thread: that module and everything it imports, in
 * one text. So a thread needs no file of its own, and starts in the same way from the packaged app, from the bundle and in
 * tests, which run the sources.
 * @returns {import('vite').Plugin}
 */
export function threadCode() {
  return {
    name: 'thread-code',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(suffix)) return undefined
      const { code, modules } = await bundleThread(id.slice(0, -suffix.length))
      for (const file of modules) this.addWatchFile(file)
      return { code: `export default ${JSON.stringify(code)}`, map: null }
    },
  }
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
