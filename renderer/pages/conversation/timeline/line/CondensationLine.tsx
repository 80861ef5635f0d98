import { FoldVertical } from 'lucide-react'
import { memo } from 'react'
import type { CondensationItem } from '../../../../state/conversation/item.ts'
import { count } from '../../../../state/format.ts'
import { Markdown } from '../message/Markdown.tsx'
import { FoldLine } from './FoldLine.tsx'

/** From here on the model reads a summary in the place of earlier steps; a person still sees them all. */
export const CondensationLine = memo(function CondensationLine({ item }: { item: CondensationItem }) {
  const { summary, forgotten_event_ids } = item.event
  return (
    <FoldLine
      foldKey={item.key}
      at={item.at}
      icon={<FoldVertical size={14} aria-hidden />}
      outcome={count(forgotten_event_ids.length, 'event')}
      body={
        <div className="py-1">
          <p className="mb-2 text-faint">The model reads this in their place. Nothing is deleted from the log.</p>
          {summary ? <Markdown text={summary} /> : <p className="text-soft">They were left out without a summary.</p>}
        </div>
      }
    >
      <span className="min-w-0 truncate">Earlier steps were summed up</span>
    </FoldLine>
  )
})
