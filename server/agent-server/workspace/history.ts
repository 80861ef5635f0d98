import type { BashEvent } from '../../api/agent-server/bash.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { assertBatchFits, countFitting } from '../../paging/fitting.ts'
import { localTime } from '../event/wire.ts'

export interface BashQuery {
  kind__eq?: BashEvent['kind'] | null | undefined
  command_id__eq?: string | null | undefined
  timestamp__gte?: string | null | undefined
  timestamp__lt?: string | null | undefined
  order__gt?: number | null | undefined
  sort_order: 'TIMESTAMP' | 'TIMESTAMP_DESC'
  page_id?: string | null | undefined
  limit: number
}

/** The commands of one sandbox and what they said, oldest first; what is too much is forgotten from the front. */
export class BashHistory {
  readonly #listeners = new Set<(event: BashEvent) => void>()
  readonly #onGrown: () => void
  #events: BashEvent[] = []
  #size = 0

  /** @param onGrown called after each addition */
  constructor(onGrown: () => void = () => {}) {
    this.#onGrown = onGrown
  }

  /** In characters. */
  get size(): number {
    return this.#size
  }

  add(event: BashEvent): void {
    this.#events.push(event)
    this.#size += sizeOf(event)
    const { bashHistory, bashHistoryEvents } = BOUNDS
    while (
      this.#events.length > bashHistoryEvents.limit ||
      (this.#size > bashHistory.limit && this.#events.length > 1)
    ) {
      this.forgetOldest()
    }
    this.#onGrown()
    for (const listener of [...this.#listeners]) listener(event)
  }

  forgetOldest(): void {
    const oldest = this.#events.shift()
    if (oldest) this.#size -= sizeOf(oldest)
  }

  /** A page ends early where its output is large together. */
  search(query: BashQuery): { items: BashEvent[]; next_page_id: string | null } {
    const found = this.#events.filter(event => fits(event, query))
    if (query.sort_order === 'TIMESTAMP_DESC') found.reverse()
    const first = Math.max(
      0,
      found.findIndex(event => event.id === query.page_id),
    )
    const asked = found.slice(first, first + query.limit)
    const count = countFitting(asked, sizeOf, BOUNDS.page.limit)
    return { items: asked.slice(0, count), next_page_id: found[first + count]?.id ?? null }
  }

  /** @throws AppError event_not_found */
  get(id: string): BashEvent {
    const found = this.#events.find(event => event.id === id)
    if (!found) throw new AppError('event_not_found', 'There is no such command or output. It may have been cleared.')
    return found
  }

  /** @throws AppError too_large */
  batch(ids: readonly string[]): (BashEvent | null)[] {
    const byId = new Map(this.#events.map(event => [event.id, event]))
    const found = ids.map(id => byId.get(id) ?? null)
    const size = found.reduce((sum, event) => sum + (event ? sizeOf(event) : 0), 0)
    assertBatchFits(ids, size)
    return found
  }

  clear(): number {
    const count = this.#events.length
    this.#events = []
    this.#size = 0
    return count
  }

  /** Past events at or after the time, then those to come; without a time only those to come. */
  subscribe(since: string | null, listener: (event: BashEvent) => void): () => void {
    if (since !== null) for (const event of this.#events) if (event.timestamp >= since) listener(event)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}

function fits(event: BashEvent, query: BashQuery): boolean {
  const output = event.kind === 'BashOutput' ? event : undefined
  const from = query.timestamp__gte && localTime(query.timestamp__gte)
  const before = query.timestamp__lt && localTime(query.timestamp__lt)
  return (
    (!query.kind__eq || event.kind === query.kind__eq) &&
    (!query.command_id__eq || (output?.command_id ?? event.id) === query.command_id__eq) &&
    (query.order__gt === null || query.order__gt === undefined || (output?.order ?? -1) > query.order__gt) &&
    (!from || event.timestamp >= from) &&
    (!before || event.timestamp < before)
  )
}

function sizeOf(event: BashEvent): number {
  if (event.kind === 'BashCommand') return event.command.length
  return (event.stdout?.length ?? 0) + (event.stderr?.length ?? 0)
}
