import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { requestEngine } from '../../../build/engine/ping.mjs'
import { projectFolder } from '../project-folder.ts'
import { OwnEngine } from './own-engine.ts'

/** The engine of a run of chaos, fuzz or soak. */
export interface ProofEngine {
  /** In the form of DOCKER_HOST. */
  host: string
  /** Only an engine of our own may be harmed. */
  own: OwnEngine | null
  /** A request to the engine itself, past every fault on the way. @throws Error for a refusal */
  // biome-ignore lint/suspicious/noExplicitAny: each path answers with another shape
  ask(method: string, path: string): Promise<any>
  close(): Promise<void>
}

/** Found from bundled programs as from here. */
const IMAGE = join(projectFolder, 'out/resources/sandbox-image.tar.gz')

/** @param privateFolder of a private machine; without one it is the engine of DOCKER_HOST, which others use too */
export async function openEngine(privateFolder: string | undefined): Promise<ProofEngine> {
  if (privateFolder) return startOwnEngine(privateFolder)
  const host = process.env.DOCKER_HOST
  if (!host) throw new Error('There is no Docker engine.')
  return { host, own: null, ask: (method, path) => ask(host, method, path), close: async () => {} }
}

/** In namespaces of their own nothing is set up yet: the loopback device is down, and engines share what is in /run. */
export function preparePrivateMachine(): void {
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run'])
  execFileSync('busybox', ['ip', 'link', 'set', 'lo', 'up'])
}

/** With the image of sandboxes. Its containers end with the private machine. */
async function startOwnEngine(folder: string): Promise<ProofEngine> {
  const own = new OwnEngine({ folder, hasOwnNetwork: false, controlGroup: process.env.ATELIER_PRIVATE_CONTROL_GROUP })
  await own.start()
  const { host } = own
  const answer = await requestEngine(host, {
    method: 'POST',
    path: '/images/load?quiet=1',
    body: createReadStream(IMAGE),
    contentType: 'application/x-tar',
  })
  const text = await textOf(answer)
  if (answer.statusCode !== 200 || text.includes('"error"')) throw new Error(`The image was refused: ${text}`)
  return { host, own, ask: (method, path) => ask(host, method, path), close: () => own.kill() }
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
