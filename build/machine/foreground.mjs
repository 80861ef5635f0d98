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
  const stopWatching = whenOrphaned(() => forward('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of forwarded) process.off(name, forward)
      stopWatching()
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}

/**
 * npm passes a signal to the shell that it started us with, and the shell dies of it without telling us: what is left
 * to notice is another parent.
 * @param {() => void} act
 * @returns {() => void}
 */
export function whenOrphaned(act) {
  if (!process.env.npm_lifecycle_event) return () => undefined
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, 200)
  return () => clearInterval(timer)
}
