import { join } from 'node:path'
import { outFolder } from '../machine/paths.mjs'
import { createProgram } from './program.mjs'
import { watchBundle } from './watch.mjs'

/**
 * The service alone, as a process that is started anew on each change.
 * @param {object} options
 * @param {string} options.folder
 * @param {string[]} options.args
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(url: string) => Promise<void>} options.onService called with the service's address each time that it has started
 */
export async function runHeadless({ folder, args, env, onService }) {
  const bundle = join(folder, 'headless')
  await watchBundle({
    what: 'The service',
    entries: { 'server/main': 'server/main.ts', 'server/keychain-process': 'server/secret/keychain/process.ts' },
    folder: bundle,
    onChange: () => void service.restart(),
  })
  const service = createProgram({
    command: process.execPath,
    args: ['--enable-source-maps', ...args, join(bundle, 'server', 'main.js')],
    env: { ...env, ATELIER_RESOURCES_DIR: join(outFolder, 'resources') },
    onLine: line => line.startsWith('{') && void onService(JSON.parse(line).url),
  })
  return service
}
