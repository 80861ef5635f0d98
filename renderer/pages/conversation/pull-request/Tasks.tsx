import type { PullRequestStatus } from '../../../../server/api/v1/git/pull-request-status.ts'
import { usePullRequestTask } from '../../../api/git-state.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../context.ts'
import { countOf } from './summary.ts'
import { t } from './text.ts'
import { useReasonAgainst } from './use-reason-against.ts'

/** What the agent can do about it, each with one click. */
export function Tasks({ status, onTold }: { status: PullRequestStatus; onTold: () => void }) {
  const { id, countSent } = useOpenConversation()
  const task = usePullRequestTask(id)
  const { base } = status.pull_request
  const reason = useReasonAgainst()
  const isOpen =
    status.threads.some(({ resolved }) => !resolved) ||
    status.reviews.some(({ state, text }) => state !== 'APPROVED' && text.trim() !== '')
  const actions = [
    ['FIX_CHECKS', t('fixChecks'), countOf(status, 'FAILED') === 0 ? t('noCheckFails') : null],
    ['ADDRESS_REVIEW', t('addressReview'), isOpen ? null : t('nothingIsOpen')],
    ['UPDATE_FROM_BASE', t('updateFromBase', { base }), null],
  ] as const

  function start(kind: (typeof actions)[number][0]) {
    if (task.isPending) return
    task.mutate(kind, {
      onSuccess: () => {
        countSent()
        notifyDone(t('agentWasTold'))
        onTold()
      },
    })
  }

  return (
    <div className="flex flex-col gap-2 border-line border-t pt-3">
      {task.error ? <ErrorNotice error={task.error} /> : null}
      <div className="flex flex-wrap gap-2">
        {actions.map(([kind, label, nothing]) => (
          <Button
            key={kind}
            size="small"
            busy={task.isPending && task.variables === kind}
            disabledReason={reason ?? nothing}
            onClick={() => start(kind)}
          >
            {label}
          </Button>
        ))}
      </div>
      <p className="text-faint text-sm">{t('whatAgentGets')}</p>
    </div>
  )
}
