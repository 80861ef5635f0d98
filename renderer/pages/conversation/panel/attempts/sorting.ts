import type { Attempt } from '../../../../../server/api/v1/conversation/attempts.ts'

export const ORDERS = ['number', 'check', 'changes', 'cost', 'time'] as const
export type Order = (typeof ORDERS)[number]

/** Best first: what passes, and what is less; what is not known comes last, in the order in which it was asked for. */
export function sortedAttempts(attempts: readonly Attempt[], order: Order): Attempt[] {
  return [...attempts].sort((a, b) => {
    const [left, right] = [measure(a, order), measure(b, order)]
    return left === right ? a.number - b.number : left - right
  })
}

function measure({ number, check, changes, cost, seconds }: Attempt, order: Order): number {
  switch (order) {
    case 'number':
      return number
    case 'check':
      return check === null ? Number.POSITIVE_INFINITY : Number(check.exit_code !== 0)
    case 'changes':
      // An empty file is a change too.
      return changes === null ? Number.POSITIVE_INFINITY : changes.files + changes.additions + changes.deletions
    case 'cost':
      return cost ?? Number.POSITIVE_INFINITY
    case 'time':
      return seconds ?? Number.POSITIVE_INFINITY
  }
}
