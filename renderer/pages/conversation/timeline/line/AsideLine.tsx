import { GitBranch } from 'lucide-react'
import { type ComponentType, memo } from 'react'
import type { AsideItem } from '../../../../state/conversation/item.ts'
import { Button } from '../../../../ui/Button.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation } from '../../context.ts'
import { useGoTo } from '../back/use-go-to.ts'
import type { TimelineRowProps } from '../row-props.ts'
import { t } from '../text.ts'
import { FoldLine } from './FoldLine.tsx'

/** More rows than anyone reads in one go would hold the page up. */
const MAX_SHOWN = 100

interface AsideLineProps {
  item: AsideItem
  /** What shows one of them. */
  Row: ComponentType<TimelineRowProps>
}

/** Steps that the conversation does not go on from; nothing of them is lost. */
export const AsideLine = memo(function AsideLine({ item, Row }: AsideLineProps) {
  return (
    <FoldLine
      foldKey={item.key}
      at={item.at}
      icon={<GitBranch size={14} aria-hidden />}
      outcome={t('entries', { count: item.items.length })}
      body={<AsideBody item={item} Row={Row} />}
    >
      <span className="min-w-0 truncate">{t('setAsideByGoingBack')}</span>
    </FoldLine>
  )
})

function AsideBody({ item: { items, lastEventId }, Row }: AsideLineProps) {
  const { info, status } = useOpenConversation()
  const goTo = useGoTo()
  const hidden = Math.max(0, items.length - MAX_SHOWN)
  return (
    <div>
      <p className="flex flex-wrap items-center gap-2 py-1 text-soft text-sm">
        {t('stepsHiddenFromAgent')}
        <Button
          size="small"
          busy={goTo.isPending}
          disabledReason={runRules(status, info).branchReason}
          onClick={() => goTo.mutate(lastEventId)}
        >
          {t('restoreTheseSteps')}
        </Button>
      </p>
      {hidden > 0 && <p className="py-1 text-faint text-sm">{t('earlierNotShown', { count: hidden })}</p>}
      {items.slice(hidden).map(one => (
        <Row key={one.key} item={one} tail={undefined} phase="resting" last={false} />
      ))}
    </div>
  )
}
