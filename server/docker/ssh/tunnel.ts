import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once, setMaxListeners } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Semaphore } from '../../async/semaphore.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { sshAddress, sshArguments } from './address.ts'

const MAX_PROBLEM = 2000
/** A server drops connections at random while ten others log in (`MaxStartups` of sshd_config). */
const MAX_LOGINS = 4
/** An engine may let its first answer wait; by then somebody has logged in. */
const LOGIN_MS = 5_000

/** A socket of this machine behind which an engine of another one answers. */
export interface SshTunnel {
  /** A path or, on Windows, the name of a pipe. */
  socketPath: string
  /** What `ssh` said last, when it had to say something. */
  problem(): string | undefined
  /** How many connections `ssh` has broken off. */
  breaks(): number
  close(): void
}

export interface SshTunnelOptions {
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
}

/**
 * Each connection is a session of the system's `ssh`, so that a person's keys, agent, known hosts and jump hosts count.
 * Sessions share one connection to the other machine where the system's `ssh` can.
 * @throws Error in words for an address that cannot be used
 */
export async function openSshTunnel(host: string, { env, platform }: SshTunnelOptions): Promise<SshTunnel> {
  const address = sshAddress(host)
  // Sockets have short names; the usual temporary folder of macOS has a long one.
  const folder = platform === 'win32' ? undefined : mkdtempSync('/tmp/atelier-ssh-')
  const argv = sshArguments(address, folder && join(folder, 'm'))
  const socketPath = folder ? join(folder, 'engine') : `\\\\.\\pipe\\atelier-ssh-${randomUUID()}`
  const sessions = new Set<ChildProcessWithoutNullStreams>()
  let problem: string | undefined
  let breaks = 0
  const logins = new Semaphore(() => MAX_LOGINS)
  const closing = new AbortController()
  // Each connection that waits for its turn listens to it.
  setMaxListeners(0, closing.signal)
  const begin = (socket: Socket): ChildProcessWithoutNullStreams => {
    const session = spawn('ssh', argv, { env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
    sessions.add(session)
    let said = ''
    session.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MAX_PROBLEM)
    })
    session.on('error', error => {
      problem = 'code' in error && error.code === 'ENOENT' ? 'the program ssh is not installed' : error.message
      socket.destroy()
    })
    session.once('close', code => {
      sessions.delete(session)
      if (code === 0) return void socket.end()
      // One that is closed here is killed, which breaks nothing.
      if (socket.destroyed) return
      breaks++
      problem = lastLine(said) ?? `ssh ended with exit code ${code}`
      socket.destroy()
    })
    connect(socket, session)
    return session
  }
  // What is asked meanwhile waits in the socket, which is not read before.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, socket => {
    socket.on('error', () => {})
    const login = async () => {
      if (!socket.destroyed) await loggedIn(begin(socket))
    }
    logins.run(login, () => {}, closing.signal).catch(() => socket.destroy())
  })
  server.on('error', () => {})
  server.listen(socketPath)
  await once(server, 'listening')
  return {
    socketPath,
    problem: () => problem,
    breaks: () => breaks,
    close: () => {
      closing.abort()
      server.close()
      for (const session of sessions) session.kill()
      if (folder) removeFolder(env, folder, argv)
    },
  }
}

/** Resolves with its first answer, with its end, or after `LOGIN_MS`. */
async function loggedIn(session: ChildProcessWithoutNullStreams): Promise<void> {
  const limit = timeLimit(LOGIN_MS)
  const done = ['data', 'close'].map(event => once(session.stdout, event, { signal: limit }))
  await Promise.race(done).catch(() => {})
}

/** Either end takes the other with it. The end of what is asked is handed on, as the answer may go on after it. */
function connect(socket: Socket, session: ChildProcessWithoutNullStreams): void {
  socket.pipe(session.stdin)
  // How the session ended is known only after its output.
  session.stdout.pipe(socket, { end: false })
  session.stdin.on('error', () => {})
  socket.once('close', () => void session.kill())
}

/** With the connection that sessions shared, which ends also when this process does at once. */
function removeFolder(env: NodeJS.ProcessEnv, folder: string, argv: readonly string[]): void {
  const script = '[ ! -S "$0/m" ] || "$@"; rm -rf -- "$0"'
  const removing = spawn('/bin/sh', ['-c', script, folder, 'ssh', '-O', 'exit', ...argv], {
    env,
    stdio: 'ignore',
    detached: true,
  })
  removing.on('error', () => {}).unref()
}

function lastLine(text: string): string | undefined {
  const lines = text.split(/\r?\n/).map(line => line.trim())
  return lines.filter(line => line !== '').at(-1)
}
