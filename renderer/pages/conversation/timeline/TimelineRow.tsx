import { memo } from 'react'
import type { Item } from '../../../state/conversation-item.ts'
import { count } from '../../../state/format.ts'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import type { RunPhase } from '../run-rules.ts'
import { ActionLine } from './ActionLine.tsx'
import { AsideLine } from './AsideLine.tsx'
import { CondensationLine } from './CondensationLine.tsx'
import { HookLine } from './HookLine.tsx'
import { MessageCard } from './MessageCard.tsx'
import { NavigationLine } from './NavigationLine.tsx'
import { NoteLine } from './NoteLine.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import { ReadsLine } from './ReadsLine.tsx'
import { ThoughtLine } from './ThoughtLine.tsx'

export interface TimelineRowProps {
  item: Item
  tail: string | undefined
  phase: RunPhase
  /** Whether it is the newest thing that happened. */
  last: boolean
}

export const TimelineRow = memo(function TimelineRow({ item, tail, phase, last }: TimelineRowProps) {
  switch (item.kind) {
    case 'message':
      return <MessageCard item={item} />
    case 'thought':
      return <ThoughtLine item={item} />
    case 'action':
      return <ActionLine item={item} tail={tail} phase={phase} />
    case 'reads':
      return <ReadsLine item={item} />
    case 'problem':
      return <ProblemNotice item={item} current={last && phase !== 'working'} />
    case 'note':
      return <NoteLine item={item} />
    case 'hook':
      return <HookLine item={item} />
    case 'condensation':
      return <CondensationLine item={item} />
    case 'navigation':
      return <NavigationLine item={item} current={last} />
    case 'aside':
      return <AsideLine item={item} />
    case 'stray_error':
      return (
        <div className="py-2">
          <Notice what={item.event.error} meaning={`It answers a call of ${item.event.tool_name}.`} />
        </div>
      )
    case 'gap':
      return <p className="py-2 text-center text-faint text-sm">{count(item.count, 'event')} not shown</p>
    case 'unknown':
      return <p className="py-2 text-faint text-sm">An event that this window cannot show: {item.name}</p>
  }
})
