import type { ChangeFrame } from '../api/v1/system/system.ts'
import { type Connect, UpdatesSocket } from './updates-socket.ts'

/** Asked again after this time without a sign, should the sign have come before the socket listened. */
const MAX_WAIT_MS = 2_000

/**
 * Reads a resource until `read` has an answer: at once, and after each change that the service tells of.
 * @throws whatever `read` throws; the signal's reason
 */
export async function until<T>(
  service: { url: string; key: string; connect: Connect },
  {
    concerns,
    read,
    signal,
  }: {
    concerns: (change: ChangeFrame) => boolean
    read: () => Promise<T | undefined>
    signal?: AbortSignal | undefined
  },
): Promise<T> {
  let changed = false
  let wake = () => {}
  const touch = () => {
    changed = true
    wake()
  }
  const updates = new UpdatesSocket(service, {
    onChange: change => concerns(change) && touch(),
    onReconnect: touch,
  })
  updates.open()
  signal?.addEventListener('abort', touch)
  try {
    for (;;) {
      signal?.throwIfAborted()
      changed = false
      const answer = await read()
      if (answer !== undefined) return answer
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, MAX_WAIT_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (changed) wake()
      })
    }
  } finally {
    signal?.removeEventListener('abort', touch)
    updates.close()
  }
}
