import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Attempt } from '../../../../../server/api/v1/conversation/attempts.ts'
import { formatCost, formatDuration } from '../../../../state/format.ts'
import { executionState, type State } from '../../../../state/words.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button, buttonClass } from '../../../../ui/Button.tsx'
import { StateBadge } from '../../../../ui/StateDot.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

interface AttemptCardProps {
  attempt: Attempt
  onKeep: () => void
}

/** One attempt: how far it is, what it took and changed, and whether the check passes. */
export function AttemptCard({ attempt, onKeep }: AttemptCardProps) {
  const { conversation_id: conversationId, number, llm_model, profile, state, detail, check } = attempt
  const { info } = useOpenConversation()
  const hasConversation = state !== 'starting' && state !== 'failed'
  return (
    <li aria-label={t('attempt', { number })} className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex min-w-0 items-center gap-2">
          <span className="font-medium">{t('attempt', { number })}</span>
          <code dir="ltr" className="truncate text-sm text-soft">
            {[profile, llm_model ?? info.llm_model].filter(Boolean).join(' · ')}
          </code>
        </span>
        <StateOfAttempt attempt={attempt} />
      </div>
      <Figures attempt={attempt} />
      {check && check.output !== '' ? <CheckOutput output={check.output} /> : null}
      {detail === null ? null : <p className={`text-sm ${state === 'failed' ? 'text-bad' : 'text-soft'}`}>{detail}</p>}
      <div className="flex gap-2">
        {hasConversation ? (
          <Link
            to="/conversations/$conversationId"
            params={{ conversationId }}
            className={buttonClass('secondary', 'small')}
          >
            {t('open')}
          </Link>
        ) : (
          <Link
            to="/starting/$taskId"
            params={{ taskId: attempt.start_task_id }}
            className={buttonClass('secondary', 'small')}
          >
            {t('showStart')}
          </Link>
        )}
        {hasConversation ? (
          <Button size="small" onClick={onKeep}>
            {t('keep')}
          </Button>
        ) : null}
      </div>
    </li>
  )
}

function StateOfAttempt({ attempt: { state, execution_status, check } }: { attempt: Attempt }) {
  const shown: State =
    state === 'starting'
      ? 'starting'
      : state === 'failed'
        ? 'failed'
        : state === 'checking'
          ? 'working'
          : executionState(execution_status ?? 'idle', null)
  return (
    <span className="flex items-center gap-2">
      {check === null ? null : (
        <Badge tone={check.exit_code === 0 ? 'good' : 'bad'}>
          {check.exit_code === 0 ? t('checkPasses') : t('checkFails', { code: check.exit_code })}
        </Badge>
      )}
      {state === 'checking' ? <span className="text-sm text-soft">{t('checking')}</span> : <StateBadge state={shown} />}
    </span>
  )
}

function Figures({ attempt: { steps, seconds, cost, changes } }: { attempt: Attempt }) {
  if (seconds === null) return null
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm tabular">
      <Figure name={t('changed')}>
        {changes === null ? (
          '–'
        ) : (
          <>
            {t('filesChanged', { count: changes.files })} <span className="text-good">+{changes.additions}</span>{' '}
            <span className="text-bad">−{changes.deletions}</span>
          </>
        )}
      </Figure>
      <Figure name={t('cost')}>{cost === null ? t('unknown') : formatCost(cost)}</Figure>
      <Figure name={t('time')}>{formatDuration(seconds * 1000)}</Figure>
      <Figure name={t('steps')}>{steps}</Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1">
      <dt className="text-faint">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function CheckOutput({ output }: { output: string }) {
  return (
    <details>
      <summary className="cursor-pointer text-sm text-soft">{t('outputOfCheck')}</summary>
      <pre
        dir="ltr"
        className="mt-1 max-h-60 overflow-auto rounded-sm bg-sunken p-2 font-mono text-xs whitespace-pre-wrap"
      >
        {output}
      </pre>
    </details>
  )
}
