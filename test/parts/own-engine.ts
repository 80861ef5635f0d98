import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ping, requestEngine } from '../../build/engine/ping.mjs'

export interface Engine {
  /** In the form of DOCKER_HOST. */
  host: string
  /** Only an engine of our own may be harmed. */
  own: { kill(): Promise<void>; start(): Promise<void>; freeze(): void; thaw(): void } | null
  /** A request to the engine itself, past every fault on the way. @throws Error for a refusal */
  // biome-ignore lint/suspicious/noExplicitAny: each path answers with another shape
  ask(method: string, path: string): Promise<any>
  close(): Promise<void>
}

/** Found from bundled programs as from here. */
const IMAGE = join(import.meta.dirname, '../../out/resources/sandbox-image.tar.gz')

/** @param privateFolder of a private machine; without one it is the engine of DOCKER_HOST, which others use too */
export async function openEngine(privateFolder: string | undefined): Promise<Engine> {
  if (privateFolder) return startOwnEngine(privateFolder)
  const host = process.env.DOCKER_HOST
  if (!host) throw new Error('There is no Docker engine.')
  return { host, own: null, ask: (method, path) => ask(host, method, path), close: async () => {} }
}

const START_MS = 60_000

/** An engine whose data, sockets and processes are in this folder, with the image of sandboxes. */
async function startOwnEngine(folder: string): Promise<Engine> {
  const run = join(folder, 'run')
  mkdirSync(run, { recursive: true })
  const host = `unix://${join(run, 'docker.sock')}`
  const log = openSync(join(folder, 'dockerd.log'), 'a')
  let child: ChildProcess | undefined
  const start = async () => {
    // Process ids are few in a namespace of its own: another process may have the one in the file.
    rmSync(join(run, 'docker.pid'), { force: true })
    child = spawn('dockerd', argumentsOf(folder, run, host), { stdio: ['ignore', log, log] })
    const deadline = Date.now() + START_MS
    while (!(await ping(host, 1000))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`dockerd did not start: see ${folder}.`)
      await delay(50)
    }
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  const answer = await requestEngine(host, {
    method: 'POST',
    path: '/images/load?quiet=1',
    body: createReadStream(IMAGE),
    contentType: 'application/x-tar',
  })
  const text = await textOf(answer)
  if (answer.statusCode !== 200 || text.includes('"error"')) throw new Error(`The image was refused: ${text}`)
  return {
    host,
    own: { kill, start, freeze: () => void child?.kill('SIGSTOP'), thaw: () => void child?.kill('SIGCONT') },
    ask: (method, path) => ask(host, method, path),
    close: kill,
  }
}

function argumentsOf(folder: string, run: string, host: string): string[] {
  const group = process.env.ATELIER_PRIVATE_CONTROL_GROUP
  return [
    ...['--data-root', join(folder, 'engine'), '--exec-root', join(run, 'exec'), '--pidfile', join(run, 'docker.pid')],
    ...['-H', host, ...(group ? ['--cgroup-parent', group] : [])],
  ]
}

async function ask(host: string, method: string, path: string): Promise<unknown> {
  const answer = await requestEngine(host, { method, path, signal: AbortSignal.timeout(30_000) })
  const text = await textOf(answer)
  if ((answer.statusCode ?? 500) >= 400) throw new Error(`The engine answered ${answer.statusCode} to ${path}: ${text}`)
  return text ? JSON.parse(text) : null
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

/** In namespaces of their own nothing is set up yet: the loopback device is down, and engines share what is in /run. */
export function furnishPrivateMachine(): void {
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run'])
  execFileSync('busybox', ['ip', 'link', 'set', 'lo', 'up'])
}
