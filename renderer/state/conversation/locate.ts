import type { SearchKind } from '../../../server/api/search-kinds.ts'
import type { Item } from './item.ts'

/** Where an event is shown. */
export interface Place {
  /** Of the row, among the items. */
  index: number
  /** Rows that must be unfolded for it to be seen, by the keys that they fold by. */
  unfold: string[]
}

/** The row that shows an event: its own, that of the call which it answers, or one that both are folded into. */
export function locate(items: readonly Item[], seq: number, kind: SearchKind | undefined): Place | null {
  const places = items.flatMap((item, index) => {
    const unfold = foldsTo(item, seq, kind)
    return unfold ? [{ index, unfold, fits: fits(item, kind) }] : []
  })
  const best = places.find(place => place.fits) ?? places.at(-1)
  return best ? { index: best.index, unfold: best.unfold } : null
}

/** null where the item does not show it. */
function foldsTo(item: Item, seq: number, kind: SearchKind | undefined): string[] | null {
  switch (item.kind) {
    case 'action':
      return item.seq === seq || answerSeq(item) === seq ? [item.key] : null
    case 'reads': {
      const action = item.actions.find(one => one.seq === seq || answerSeq(one) === seq)
      return action ? [`${item.key}-reads`, action.key] : null
    }
    case 'aside': {
      const place = locate(item.items, seq, kind)
      return place ? [item.key, ...place.unfold] : null
    }
    case 'thought':
    case 'hook':
    case 'condensation':
      return item.seq === seq ? [item.key] : null
    case 'message':
    case 'problem':
    case 'note':
    case 'stray_error':
    case 'gap':
    case 'fallback':
    case 'navigation':
    case 'unknown':
      return item.seq === seq ? [] : null
  }
}

function answerSeq({ outcome }: Extract<Item, { kind: 'action' }>): number | null {
  return 'event' in outcome ? outcome.event.seq : null
}

/** One event can have several rows: what was thought, said and done. */
function fits(item: Item, kind: SearchKind | undefined): boolean {
  if (kind === 'message' || kind === 'thought') return item.kind === kind
  return item.kind !== 'message' && item.kind !== 'thought'
}
