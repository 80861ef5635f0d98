import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @typedef {{cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number, quiet?: boolean}} CommandOptions */

/**
 * Runs a program to its end. Its output goes to our stderr, or with `quiet` is kept and shown only when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 */
export async function run(command, args, options = {}) {
  const result = await capture(command, args, options)
  if (result.code === 0) return
  const tail = result.output.trimEnd().split('\n').slice(-15).join('\n')
  throw new Error(`${[command, ...args].join(' ').slice(0, 200)} failed (${result.code}).${tail ? `\n${tail}` : ''}`)
}

/**
 * Runs a program to its end and never throws for a non-zero exit. `output` is stdout followed by stderr as they came
 * (empty when not quiet), `stdout` is stdout alone.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<{code: number, stdout: string, output: string}>}
 */
export function capture(command, args, { cwd, env, timeout, quiet } = {}) {
  const child = spawn(command, args, {
    stdio: ['ignore', quiet ? 'pipe' : process.stderr, quiet ? 'pipe' : process.stderr],
    shell: process.platform === 'win32' && /\.cmd$|^npm$/.test(command),
    ...(cwd && { cwd }),
    ...(env && { env }),
    ...(timeout && { timeout, killSignal: 'SIGKILL' }),
  })
  let stdout = ''
  let output = ''
  child.stdout?.on('data', chunk => {
    stdout += chunk
    output += chunk
  })
  child.stderr?.on('data', chunk => {
    output += chunk
  })
  return new Promise(resolve => {
    child.once('error', error => resolve({ code: 127, stdout, output: `${output}${error.message}` }))
    child.once('close', (code, signal) => {
      const note = signal && timeout ? `\nStopped by ${signal} (time limit ${timeout / 1000} s).` : ''
      resolve({ code: code ?? 1, stdout, output: output + note })
    })
  })
}

/**
 * @param {string} command
 * @returns {string | undefined} the absolute path of a program on PATH (and in sbin, which a plain user's PATH lacks)
 */
export function which(command) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.map(folder => join(folder, command)).find(isExecutable)
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
