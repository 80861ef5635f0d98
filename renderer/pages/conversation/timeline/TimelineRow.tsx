import { memo } from 'react'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { ActionLine } from './action/ActionLine.tsx'
import { AsideLine } from './line/AsideLine.tsx'
import { CondensationLine } from './line/CondensationLine.tsx'
import { FallbackLine } from './line/FallbackLine.tsx'
import { HookLine } from './line/HookLine.tsx'
import { NavigationLine } from './line/NavigationLine.tsx'
import { NoteLine } from './line/NoteLine.tsx'
import { ProblemNotice } from './line/ProblemNotice.tsx'
import { ReadsLine } from './line/ReadsLine.tsx'
import { ThoughtLine } from './line/ThoughtLine.tsx'
import { MessageCard } from './message/MessageCard.tsx'
import type { TimelineRowProps } from './row-props.ts'
import { t } from './text.ts'

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
    case 'fallback':
      return <FallbackLine item={item} />
    case 'navigation':
      return <NavigationLine item={item} current={last} />
    case 'aside':
      return <AsideLine item={item} Row={TimelineRow} />
    case 'stray_error':
      return (
        <div className="py-2">
          <Notice what={item.event.error} meaning={t('answersCall', { toolName: item.event.tool_name })} />
        </div>
      )
    case 'gap':
      return <p className="py-2 text-center text-faint text-sm">{t('eventsNotShown', { count: item.count })}</p>
    case 'unknown':
      return <p className="py-2 text-faint text-sm">{t('unknownEvent', { name: item.name })}</p>
  }
})
