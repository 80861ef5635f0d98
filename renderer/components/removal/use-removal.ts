import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { removeRemovable } from '../../../server/api/v1/sandbox/removable.ts'
import { freeStorage, type Reclaimable } from '../../../server/api/v1/system/storage.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../../api/query-keys.ts'
import { useClient } from '../../api/session.ts'
import { problemOf } from '../../state/notice/problems.ts'
import { bytesOf, type Choice } from '../../state/storage/choices.ts'

export type Removal =
  | { kind: 'asking' }
  | { kind: 'removing'; total: number; done: number; current: string; isStopping: boolean }
  | { kind: 'over'; freedBytes: number; removed: number; left: number; kept: { name: string; problem: string }[] }

/** Removes one after the other, so that it can be said how far it is, and stopped in between. */
export function useRemoval() {
  const client = useClient()
  const queries = useQueryClient()
  const [removal, setRemoval] = useState<Removal>({ kind: 'asking' })
  const isStopped = useRef(false)
  async function begin(choices: readonly Choice[]): Promise<void> {
    isStopped.current = false
    const removed: Choice[] = []
    const kept: { name: string; problem: string }[] = []
    for (const [done, choice] of choices.entries()) {
      if (isStopped.current) break
      setRemoval({ kind: 'removing', total: choices.length, done, current: choice.name, isStopping: false })
      const problem = await remove(client, choice).catch(error => problemOf(error).what)
      if (problem === null) removed.push(choice)
      else kept.push({ name: choice.name, problem })
    }
    const left = choices.length - removed.length - kept.length
    setRemoval({ kind: 'over', freedBytes: bytesOf(removed), removed: removed.length, left, kept })
    await Promise.all(
      [keys.system, keys.sandboxes, keys.conversations, keys.storage, keys.engineStorages].map(queryKey =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
  }
  function stop(): void {
    isStopped.current = true
    setRemoval(now => (now.kind === 'removing' ? { ...now, isStopping: true } : now))
  }
  return { removal, begin, stop }
}

/** @returns why it was not removed; null when it is gone */
async function remove(client: Client, { kind, item }: Choice): Promise<string | null> {
  if (item === null) {
    await client.call(freeStorage, { body: { kinds: [kind as Reclaimable['kind']] } })
    return null
  }
  const { engineId: engine_id, ...named } = item
  const { items } = await client.call(removeRemovable, { body: { engine_id, items: [named] } })
  return items[0]?.problem ?? null
}
