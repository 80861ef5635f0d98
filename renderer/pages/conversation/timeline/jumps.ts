import type { Item } from '../../../state/conversation/item.ts'

/** The next error after row `from`, or the first one when there is none further down; -1 without any. */
export function nextError(items: readonly Item[], from: number): number {
  const after = items.findIndex((item, index) => index > from && isError(item))
  return after >= 0 ? after : items.findIndex(isError)
}

export function lastOwnMessage(items: readonly Item[]): number {
  return items.findLastIndex(item => item.kind === 'message' && item.author === 'user')
}

/** Messages that were sent from here, and the newest own one in the list. */
export interface SentMessages {
  sent: number
  newest: string | undefined
}

/** A message that was sent is shown twice: at once, and when it stands in the list. */
export function followSent(
  before: SentMessages & { awaited: boolean },
  now: SentMessages,
): { awaited: boolean; show: boolean } {
  const isSent = now.sent !== before.sent
  const isListed = now.newest !== before.newest
  const due = isSent || before.awaited
  return { awaited: due && !isListed, show: isSent || (due && isListed) }
}

export function isError(item: Item): boolean {
  switch (item.kind) {
    case 'problem':
    case 'stray_error':
      return true
    case 'action':
      return item.outcome.state === 'error' || item.outcome.state === 'failed'
    case 'hook':
      return !item.event.success && !item.event.blocked
    case 'message':
    case 'thought':
    case 'reads':
    case 'note':
    case 'gap':
    case 'condensation':
    case 'fallback':
    case 'navigation':
    case 'aside':
    case 'unknown':
      return false
  }
}
