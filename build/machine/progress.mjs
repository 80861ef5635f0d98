import { realpathSync } from 'node:fs'

/** Progress goes to stderr: stdout belongs to whatever the command was asked to print. */

/** @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/**
 * Announces a slow piece of work, does it, and says how long it took. `note` adds a few words on the result, and may
 * call it a failure.
 * @template T
 * @param {string} what a phrase such as "Building the sandbox image"
 * @param {() => Promise<T>} work
 * @param {(result: T) => string | {failed: string}} [note]
 * @returns {Promise<T>}
 */
export async function step(what, work, note) {
  say(`… ${what}`)
  const started = performance.now()
  const result = await work()
  const comment = note?.(result) ?? ''
  const [mark, detail] = typeof comment === 'string' ? ['✓', comment] : ['✗', comment.failed]
  say(`${mark} ${what}${detail ? `: ${detail}` : ''} (${seconds(performance.now() - started)})`)
  return result
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
  const value = milliseconds / 1000
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}

/** A failure whose message is the whole story: what happened and what to do next. Printed without a stack. */
export class SetupError extends Error {}

/**
 * The outermost frame of every command in this folder.
 * @param {() => Promise<number | void>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? process.exitCode ?? 0
  } catch (error) {
    say(error instanceof SetupError ? `✗ ${error.message}` : `✗ ${error instanceof Error ? error.stack : error}`)
    process.exitCode = 1
  }
}

/**
 * True when the module is the program itself, not an import of another.
 * @param {string} filename the module's `import.meta.filename`
 */
export function isMain(filename) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === filename
}
