import { FoldVertical } from 'lucide-react'
import { memo } from 'react'
import type { CondensationItem } from '../../../../state/conversation/item.ts'
import { Markdown } from '../message/Markdown.tsx'
import { t } from '../text.ts'
import { FoldLine } from './FoldLine.tsx'

/** From here on the model reads a summary in the place of earlier steps; a person still sees them all. */
export const CondensationLine = memo(function CondensationLine({ item }: { item: CondensationItem }) {
  const { summary, forgotten_event_ids } = item.event
  return (
    <FoldLine
      foldKey={item.key}
      at={item.at}
      icon={<FoldVertical size={14} aria-hidden />}
      outcome={t('events', { count: forgotten_event_ids.length })}
      body={
        <div className="py-1">
          <p className="mb-2 text-faint">{t('summaryStandsForSteps')}</p>
          {summary ? <Markdown text={summary} /> : <p className="text-soft">{t('stepsLeftOutWithoutSummary')}</p>}
        </div>
      }
    >
      <span className="min-w-0 truncate">{t('earlierStepsWereSummedUp')}</span>
    </FoldLine>
  )
})
