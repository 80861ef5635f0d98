import { CornerUpLeft } from 'lucide-react'
import type { EventOf } from '../../../../../server/api/event/events.ts'
import { stepAround } from '../../../../state/conversation/branch.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Menu, MenuHint, MenuItem } from '../../../../ui/overlay/Menu.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation, useSnapshot } from '../../context.ts'
import { t } from '../text.ts'
import { useGoTo } from './use-go-to.ts'

/** Goes back to before or after the step of a call that may have changed files. */
export function StepMenu({ event }: { event: EventOf<'ActionEvent'> }) {
  return (
    <div>
      <Menu
        align="start"
        trigger={
          <Button size="small" icon={<CornerUpLeft size={13} aria-hidden />}>
            {t('goBackEllipsis')}
          </Button>
        }
      >
        <Items event={event} />
      </Menu>
    </div>
  )
}

/** Drawn with the open menu alone: it looks through the events. */
function Items({ event }: { event: EventOf<'ActionEvent'> }) {
  const { info, status } = useOpenConversation()
  const goTo = useGoTo()
  const before = useSnapshot(({ conversation }) => stepAround(conversation.events, event.id)?.before)
  const after = useSnapshot(({ conversation }) => stepAround(conversation.events, event.id)?.after)
  const ways = [
    { label: t('toBeforeStep'), to: before },
    { label: t('toAfterStep'), to: after },
  ]
  return ways.map(({ label, to }) => (
    <MenuItem
      key={label}
      disabledReason={runRules(status, info).branchReason ?? (to === undefined ? t('stepIsNotReached') : null)}
      onSelect={() => to !== undefined && goTo.mutate(to)}
    >
      {label}
      <MenuHint>{t('laterStepsAreSetAside')}</MenuHint>
    </MenuItem>
  ))
}

const CHANGING: ReadonlySet<string> = new Set(['TerminalAction', 'ApplyPatchAction', 'MCPToolAction', 'TaskAction'])

/** Whether it may have changed files. */
export function mayChangeFiles({ action }: EventOf<'ActionEvent'>): boolean {
  if (action === null) return false
  return action.kind === 'FileEditorAction' ? action.command !== 'view' : CHANGING.has(action.kind)
}
