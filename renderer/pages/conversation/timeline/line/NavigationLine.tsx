import { Redo2, Undo2 } from 'lucide-react'
import type { NavigationItem } from '../../../../state/conversation/item.ts'
import { formatMoment } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation } from '../../context.ts'
import { useGoTo } from '../back/use-go-to.ts'
import { t } from '../text.ts'

const WORDS = {
  back: { icon: Undo2, text: t('youWentBackToHere') },
  forward: { icon: Redo2, text: t('stepsTakenUpAgain') },
} as const satisfies Record<NavigationItem['direction'], unknown>

export interface NavigationLineProps {
  item: NavigationItem
  /** False once the conversation went on after it. */
  current: boolean
}

export function NavigationLine({ item, current }: NavigationLineProps) {
  const { info, status } = useOpenConversation()
  const goTo = useGoTo()
  const { icon: Icon, text } = WORDS[item.direction]
  const { from } = item
  return (
    <p title={formatMoment(Date.parse(item.at))} className="flex items-center gap-2 py-2 text-soft text-sm">
      <Icon size={13} aria-hidden className="shrink-0" />
      <span className="min-w-0">{text}</span>
      {current && from !== null && (
        <Button
          size="small"
          busy={goTo.isPending}
          disabledReason={runRules(status, info).branchReason}
          onClick={() => goTo.mutate(from)}
        >
          {t('undo')}
        </Button>
      )}
    </p>
  )
}
