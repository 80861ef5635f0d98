import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { electronFlags, electronProgram } from '../electron.mjs'
import { outFolder } from '../machine/paths.mjs'
import { servePages } from './pages.mjs'
import { createProgram } from './program.mjs'
import { watchBundle } from './watch.mjs'

/**
 * The window with its pages from Vite, and its service. A change of the service replaces that alone; a change of the
 * desktop's own code starts the app anew.
 * @param {object} options
 * @param {string} options.folder
 * @param {import('../electron.mjs').ElectronDist} options.electron
 * @param {string[]} options.args
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(url: string) => Promise<void>} options.onService called with the service's address each time that it has started, before a page sees it
 */
export async function openDevWindow({ folder, electron, args, env, onService }) {
  const nonce = randomBytes(16).toString('base64')
  const serviceFolder = join(folder, 'service')
  const service = join(serviceFolder, 'service-process.js')
  const restart = () => void app.restart()
  const [pages] = await Promise.all([
    servePages(nonce),
    watchBundle({
      what: 'The service',
      entries: { 'service-process': 'electron/service/process.ts' },
      folder: serviceFolder,
      onChange: () => app.send({ kind: 'bundled', service }),
    }),
    watchBundle({
      what: 'The desktop',
      entries: {
        'electron/main': 'electron/dev/main.ts',
        'server/keychain-process': 'server/secret/keychain/process.ts',
      },
      folder,
      onChange: restart,
    }),
    watchBundle({
      what: 'The bridge',
      entries: { 'electron/preload': 'electron/preload.ts' },
      folder,
      format: 'cjs',
      onChange: restart,
    }),
  ])
  const app = createProgram({
    command: electronProgram(electron.folder),
    args: [...electronFlags(), ...args, folder],
    env: {
      ...env,
      ATELIER_DEV_SERVER: pages,
      ATELIER_DEV_NONCE: nonce,
      ATELIER_DEV_SERVICE: service,
      ATELIER_DEV_RESOURCES: join(outFolder, 'resources'),
    },
    onMessage: async ({ url }) => {
      await onService(url)
      app.send({ kind: 'prepared' })
    },
  })
  return app
}
