import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { z } from 'zod'
import type { EngineListener, EngineWatch } from './engine.ts'
import { jsonLines } from './json-lines.ts'

/** Events of commands (exec_…) come with every tool call and carry their arguments: the engine is not asked for them. */
const LIFECYCLE = [
  'create',
  'start',
  'pause',
  'unpause',
  'die',
  'oom',
  'stop',
  'restart',
  'rename',
  'destroy',
  'health_status',
]
const RETRY_MS = 250

const containerEvent = z.object({
  Action: z.string(),
  Actor: z.object({ ID: z.string(), Attributes: z.record(z.string(), z.string()).nullish() }),
})

export function watchContainers(client: Docker, labels: Record<string, string>, listener: EngineListener): EngineWatch {
  const closing = new AbortController()
  const filters = {
    type: ['container'],
    event: LIFECYCLE,
    label: Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  }
  void follow(client, JSON.stringify(filters), listener, closing.signal)
  return { close: () => closing.abort() }
}

async function follow(client: Docker, filters: string, listener: EngineListener, signal: AbortSignal): Promise<void> {
  // The engine answered a moment ago: if it does not now, that is a loss too.
  let connected = true
  while (!signal.aborted) {
    try {
      const stream = (await client.getEvents({ filters, abortSignal: signal })) as Readable
      // The answer's head is sent once the engine listens, so that what is listed after it misses nothing.
      connected = true
      listener.onReconnect()
      await deliver(stream, listener, signal)
    } catch {
      // Whatever ended the stream, the answer is the same: say so once, and listen again.
    }
    if (signal.aborted) return
    if (connected) listener.onDisconnect()
    connected = false
    await delay(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

async function deliver(stream: Readable, listener: EngineListener, signal: AbortSignal): Promise<void> {
  const stop = () => stream.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const line of jsonLines(stream)) {
      const event = containerEvent.safeParse(line)
      if (!event.success || signal.aborted) continue
      const { Action: action, Actor: actor } = event.data
      const attributes = actor.Attributes ?? {}
      listener.onContainer({ id: actor.ID, name: attributes.name ?? '', action, labels: attributes })
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
