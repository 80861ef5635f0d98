import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a program gets to close itself before it is killed. */
const CLOSE_MS = 5_000

/**
 * A program that can be started anew. Its stdout is ours, and it may send messages.
 * @param {object} program
 * @param {string} program.command
 * @param {string[]} program.args
 * @param {NodeJS.ProcessEnv} program.env
 * @param {(line: string) => void} [program.onLine] called with each line of its stdout
 * @param {(message: any) => void} [program.onMessage]
 */
export function createProgram({ command, args, env, onLine, onMessage }) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  /** @type {(code: number) => void} */
  let end = () => undefined
  /** Resolves with the exit code when the program ends by itself. */
  const ended = new Promise(resolve => {
    end = resolve
  })

  function start() {
    const started = spawn(command, args, { env, stdio: ['inherit', 'pipe', 'inherit', 'ipc'] })
    child = started
    started.stdout?.on('data', chunk => {
      process.stdout.write(chunk)
      for (const line of String(chunk).split('\n')) onLine?.(line)
    })
    if (onMessage) started.on('message', onMessage)
    started.once('error', error => {
      process.stderr.write(`✗ ${command} could not be started. ${error.message}\n`)
      end(1)
    })
    started.once('exit', code => {
      if (child === started) end(code ?? 1)
    })
  }

  async function stopChild() {
    const stopped = child
    child = undefined
    if (!stopped || stopped.exitCode !== null || stopped.signalCode !== null) return
    const timer = setTimeout(() => stopped.kill('SIGKILL'), CLOSE_MS)
    const exit = once(stopped, 'exit')
    stopped.kill('SIGTERM')
    await exit
    clearTimeout(timer)
  }

  // One after the other: of two changes at once, and of a change and the end, neither may miss the other's child.
  let last = Promise.resolve()
  let isStopped = false
  /** @param {() => Promise<void>} next */
  function inTurn(next) {
    last = last.then(next)
    return last
  }

  return {
    start,
    /** For good: a change that comes meanwhile starts nothing. */
    stop: () => {
      isStopped = true
      return inTurn(stopChild)
    },
    ended,
    restart: () =>
      inTurn(async () => {
        if (isStopped) return
        await stopChild()
        if (!isStopped) start()
      }),
    /** @param {object} message */
    send: message => child?.connected && child.send(message),
  }
}
