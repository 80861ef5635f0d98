import { homedir } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { findEngine } from '../../../server/docker/socket.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { type Parts, type PartsOptions, startParts } from '../parts.ts'

/** After so long a change has led to what it is to lead to: longer than the time in which the engine is left alone. */
export const SURELY_ROUND_MS = 4000

export const PATIENCE = { timeout: 30_000, interval: 50 }

/** Ids of the sandboxes that run in the engine with their network, which they are given last, and that the service does not show. */
export async function preparedIds({ outside, sandboxes, instanceId }: Parts): Promise<string[]> {
  const filters = { label: [`dev.atelier.instance=${instanceId}`], status: ['running'] }
  const running = (await outside.listContainers({ filters }))
    .filter(({ NetworkSettings }) => 'bridge' in NetworkSettings.Networks)
    .flatMap(({ Names }) => Names.map(name => name.slice(1)))
  const shown = new Set((await sandboxes.search({ limit: 100 })).items.map(({ id }) => id))
  // What looks at the network is not a sandbox.
  return running.filter(name => !name.includes('-once-') && !shown.has(name))
}

/** Resolves with their ids when there are so many. @throws Error after `PATIENCE` */
export async function untilPrepared(parts: Parts, count: number): Promise<string[]> {
  for (const late = Date.now() + PATIENCE.timeout; ; await delay(PATIENCE.interval)) {
    const ids = await preparedIds(parts)
    if (ids.length === count) return ids
    if (Date.now() > late) throw new Error(`${ids.length} sandboxes are prepared, not ${count}.`)
  }
}

/** The one that is there when the other is gone. @throws Error after `PATIENCE` */
export async function untilOther(parts: Parts, gone: string): Promise<string> {
  for (;;) {
    const [id = gone] = await untilPrepared(parts, 1)
    if (id !== gone) return id
    await delay(PATIENCE.interval)
  }
}

/** With a socket of its own before the engine. */
export async function startAway(options: Pick<PartsOptions, 'minuteMs'> = {}) {
  const proxy = new EngineProxy(process.env.DOCKER_HOST ?? '')
  await proxy.up()
  const machine = { env: { DOCKER_HOST: proxy.host }, platform: process.platform, home: homedir(), uid: 0 }
  return { proxy, parts: await startParts({ ...options, find: signal => findEngine(machine, signal) }) }
}

/** Names of all its containers, whatever they do, but for those that look at the network. */
export async function containers({ outside, instanceId }: Parts): Promise<string[]> {
  const filters = { label: [`dev.atelier.instance=${instanceId}`] }
  const found = await outside.listContainers({ all: true, filters })
  return found.flatMap(({ Names }) => Names.map(name => name.slice(1))).filter(name => !name.includes('-once-'))
}

/** Names of the containers that are made from now on. */
export async function creations({ outside, instanceId }: Parts): Promise<{ names: string[]; stop(): void }> {
  const filters = { event: ['create'], label: [`dev.atelier.instance=${instanceId}`] }
  const events = (await outside.getEvents({ filters })) as Readable
  const names: string[] = []
  events.on('data', (line: Buffer) => {
    const name = String(JSON.parse(String(line)).Actor.Attributes.name)
    if (!name.includes('-once-')) names.push(name)
  })
  return { names, stop: () => events.destroy() }
}

/** What a command prints in a sandbox. */
export async function output(parts: Parts, id: string, command: string): Promise<string> {
  const sandbox = await parts.sandboxes.open(id)
  return (await sandbox.exec({ argv: ['/bin/sh', '-c', command] })).stdout
}
