import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { runConversation } from '../../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../../components/use-command.ts'
import type { ProblemItem } from '../../../../state/conversation/item.ts'
import { formatMoment } from '../../../../state/format.ts'
import { Button, buttonClass } from '../../../../ui/Button.tsx'
import { Notice } from '../../../../ui/ErrorNotice.tsx'
import { useOpenConversation } from '../../context.ts'
import { problemWords } from '../../problem-words.ts'
import { RaiseLimit } from '../action/RaiseLimit.tsx'
import { t } from '../text.ts'

export interface ProblemNoticeProps {
  item: ProblemItem
  /** False once the conversation went on after it: then it is history and offers nothing. */
  current: boolean
}

/** Why the run stopped, what that means and what helps. */
export const ProblemNotice = memo(function ProblemNotice({ item, current }: ProblemNoticeProps) {
  const { detail, classification } = item.event
  const { meaning } = problemWords(item.event)
  return (
    <div className="py-2" title={formatMoment(Date.parse(item.at))}>
      <Notice tone={toneOf(classification.kind)} what={detail} meaning={meaning}>
        {current && <Remedy item={item} />}
      </Notice>
    </div>
  )
})

/** A limit and an agent that was stopped are no faults: they want a word. */
function toneOf(kind: ProblemItem['event']['classification']['kind']): 'wait' | 'bad' {
  return kind === 'limit' || kind === 'agent_action' ? 'wait' : 'bad'
}

function Remedy({ item }: { item: ProblemItem }) {
  switch (problemWords(item.event).remedy) {
    case 'raise_iterations':
      return <RaiseLimit limit="max_iterations" />
    case 'raise_budget':
      return <RaiseLimit limit="max_budget_per_task" />
    case 'settings':
      return (
        <>
          <Link to="/settings/$section" params={{ section: 'model' }} className={buttonClass('primary', 'small')}>
            {t('openSettingsModel')}
          </Link>
          <Continue />
        </>
      )
    case 'retry':
      return <Continue />
    case 'none':
      return null
  }
}

function Continue() {
  const { id } = useOpenConversation()
  const run = useCommand(client => client.call(runConversation, { params: { conversation_id: id } }))
  return (
    <Button size="small" busy={run.isPending} onClick={() => run.mutate()}>
      {t('tryAgain')}
    </Button>
  )
}
