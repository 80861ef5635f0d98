import { memo } from 'react'
import type { Item } from '../../../state/conversation-items.ts'
import { count } from '../../../state/format.ts'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { ActionLine } from './ActionLine.tsx'
import { MessageCard } from './MessageCard.tsx'
import { NoteLine } from './NoteLine.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import { ReadsLine } from './ReadsLine.tsx'
import { ThoughtLine } from './ThoughtLine.tsx'

export interface TimelineRowProps {
  item: Item
  tail: string | undefined
  working: boolean
  /** Whether it is the newest thing that happened. */
  last: boolean
}

export const TimelineRow = memo(function TimelineRow({ item, tail, working, last }: TimelineRowProps) {
  switch (item.kind) {
    case 'message':
      return <MessageCard item={item} />
    case 'thought':
      return <ThoughtLine item={item} />
    case 'action':
      return <ActionLine item={item} tail={tail} working={working} />
    case 'reads':
      return <ReadsLine item={item} />
    case 'problem':
      return <ProblemNotice item={item} current={last && !working} />
    case 'note':
      return <NoteLine item={item} />
    case 'stray_error':
      return (
        <div className="py-2">
          <Notice what={item.event.error} meaning={`It answers a call of ${item.event.tool_name}.`} />
        </div>
      )
    case 'gap':
      return <p className="py-2 text-center text-faint text-sm">{count(item.count, 'event')} not shown</p>
  }
})
