import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { SetupError } from './progress.mjs'

/**
 * Gives the work a display of its own, also where there is one: no windows flash over somebody's desktop. Any local
 * user may draw on it, for tests that run the app as another user.
 * @template T
 * @param {NodeJS.ProcessEnv} env
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDisplay(env, work) {
  if (process.platform !== 'linux') return work(env)
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-ac'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stop = () => server.kill()
  process.once('exit', stop)
  try {
    const number = await Promise.race([
      once(server.stdout, 'data').then(([chunk]) => String(chunk).trim()),
      // Rejects when there is no such program.
      once(server, 'exit').then(
        () => undefined,
        () => undefined,
      ),
    ])
    if (!number) throw new SetupError('Xvfb did not start. Install the package xvfb and run this again.')
    return await work({ ...env, DISPLAY: `:${number}`, WAYLAND_DISPLAY: undefined })
  } finally {
    process.off('exit', stop)
    stop()
  }
}
