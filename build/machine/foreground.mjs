import { spawn } from 'node:child_process'

const forwarded = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a program in our place: its input and output are ours, signals reach it, and its exit code is the result.
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} [options]
 * @returns {Promise<number>}
 */
export function runInPlace(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  /** @param {NodeJS.Signals} signal */
  const forward = signal => child.kill(signal)
  for (const signal of forwarded) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of forwarded) process.off(name, forward)
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}
