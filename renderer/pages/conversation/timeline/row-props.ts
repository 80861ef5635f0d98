import type { Item } from '../../../state/conversation/item.ts'
import type { RunPhase } from '../composer/run-rules.ts'

export interface TimelineRowProps {
  item: Item
  tail: string | undefined
  phase: RunPhase
  /** Whether it is the newest thing that happened. */
  last: boolean
}
