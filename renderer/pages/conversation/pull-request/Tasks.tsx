import type { PullRequestStatus } from '../../../../server/api/v1/git/pull-request-status.ts'
import { usePullRequestTask } from '../../../api/git-state.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { runRules } from '../composer/run-rules.ts'
import { useOpenConversation } from '../context.ts'
import { useSandbox } from '../use-sandbox.ts'
import { countOf } from './summary.ts'
import { t } from './text.ts'

/** What the agent can do about it, each with one click. */
export function Tasks({ status, onTold }: { status: PullRequestStatus; onTold: () => void }) {
  const { id, info, status: execution, countSent } = useOpenConversation()
  const sandbox = useSandbox()
  const task = usePullRequestTask(id)
  const { base } = status.pull_request
  const reason = reasonAgainst()
  const isOpen =
    status.threads.some(({ resolved }) => !resolved) ||
    status.reviews.some(({ state, text }) => state !== 'APPROVED' && text.trim() !== '')
  const actions = [
    ['FIX_CHECKS', t('fixChecks'), countOf(status, 'FAILED') === 0 ? t('noCheckFails') : null],
    ['ADDRESS_REVIEW', t('addressReview'), isOpen ? null : t('nothingIsOpen')],
    ['UPDATE_FROM_BASE', t('updateFromBase', { base }), null],
  ] as const

  function reasonAgainst(): string | null {
    const { working, sendReason } = runRules(execution, info)
    if (working) return t('agentWorks')
    return sendReason ?? (sandbox.status === 'RUNNING' ? null : t('sandboxDoesNotRun'))
  }

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
