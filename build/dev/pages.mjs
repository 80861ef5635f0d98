import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { outFolder, projectFolder } from '../machine/paths.mjs'

/**
 * Vite's development server for the window's pages, on this machine's own address.
 * @param {string} nonce marks the inline scripts that Vite adds
 * @returns {Promise<string>} its address
 */
export async function servePages(nonce) {
  const [{ createServer }, { default: react }, { default: tailwind }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('@tailwindcss/vite'),
  ])
  const http = createHttpServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (http.address())
  const vite = await createServer({
    configFile: false,
    root: join(projectFolder, 'renderer'),
    cacheDir: join(outFolder, 'dev', 'vite'),
    logLevel: 'info',
    plugins: [react(), tailwind()],
    html: { cspNonce: nonce },
    server: {
      middlewareMode: { server: http },
      cors: false,
      fs: { allow: [projectFolder, realpathSync(join(projectFolder, 'node_modules'))] },
      // The page's own address is app://atelier: Vite's client could not guess this one.
      hmr: { server: http, protocol: 'ws', host: '127.0.0.1', clientPort: port },
    },
  })
  http.on('request', vite.middlewares)
  return `http://127.0.0.1:${port}`
}
