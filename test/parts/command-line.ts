import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../out/cli/main.js')

export interface CommandRun {
  process: ChildProcess
  stdout: () => string
  stderr: () => string
  /** Resolves once the output so far fits; rejects when the command ends before. */
  until(pattern: RegExp): Promise<void>
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

export interface CommandOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
  input?: string
  /** On a terminal of its own: both outputs come as one. What is written to stdin is typed. */
  tty?: boolean
  /** In place of the bundle. */
  program?: readonly [string, ...string[]]
}

/** The bundled command line as a process of its own. */
export function startCommand(words: readonly string[], options: CommandOptions = {}): CommandRun {
  const { env, cwd, input, tty, program: whole = [process.execPath, PROGRAM] } = options
  const [file, ...first] = whole
  const quoted = [file, ...first, ...words].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const [program, args] = tty ? ['script', ['-qefc', quoted, '/dev/null']] : [file, [...first, ...words]]
  const child = spawn(program, args, { env: { ...process.env, ...env }, ...(cwd && { cwd }), stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', chunk => {
      output[name] += chunk
      for (const listener of [...listeners]) listener()
    })
  }
  child.stdin.on('error', () => {})
  if (!tty || input !== undefined) child.stdin.end(input ?? '')
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve =>
    child.on('close', code => resolve({ code, ...output })),
  )
  return {
    process: child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    until: pattern =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(output.stdout + output.stderr)) return
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check()
        void ended.then(end => reject(new Error(`It ended before: ${JSON.stringify(end)}`)))
      }),
  }
}

/** Runs it to its end. */
export function command(words: readonly string[], options?: CommandOptions) {
  return startCommand(words, options).ended
}

/** The lines of JSON on stdout. */
export function jsonLines(stdout: string) {
  return stdout
    .trim()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}
