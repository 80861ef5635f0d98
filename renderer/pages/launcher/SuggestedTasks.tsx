import { useQuery } from '@tanstack/react-query'
import { CircleDot, CircleX, GitMerge, type LucideIcon, MessageSquareWarning } from 'lucide-react'
import { useState } from 'react'
import type { PromptedTask } from '../../../server/api/v1/git/data.ts'
import { suggestedTasksQuery } from '../../api/git-data.ts'
import { useClient } from '../../api/session.ts'
import { useStart } from '../../api/start.ts'
import { type LaunchDraft, requestOfTask } from '../../state/launch/launch.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { MissingProviders } from './repository/MissingProviders.tsx'
import { t } from './text.ts'

const SHOWN_AT_FIRST = 5

export interface SuggestedTasksProps {
  /** Its sandbox, model, limits and mode hold for a task too. */
  draft: LaunchDraft
  disabledReason: string | null
}

/** What waits for the user at the git providers; each starts a conversation at once. */
export function SuggestedTasks({ draft, disabledReason }: SuggestedTasksProps) {
  const { data, error, isPending, isFetching, refetch } = useQuery(suggestedTasksQuery(useClient()))
  const [all, setAll] = useState(false)
  const start = useStart()
  const [started, setStarted] = useState<PromptedTask | null>(null)
  const starting = start.isPending ? started : null
  const tasks = data?.items ?? []
  return (
    <section aria-labelledby="suggested-tasks" className="flex flex-col gap-2 pt-4">
      <h2 id="suggested-tasks" className="font-medium">
        {t('suggestedTasks')}
      </h2>
      {start.error ? <ErrorNotice error={start.error} /> : null}
      {isPending ? <Skeleton lines={3} label={t('readingTasks')} /> : null}
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      <MissingProviders missing={data?.missing ?? []} />
      {data && tasks.length === 0 ? <p className="text-sm text-faint">{t('nothingWaits')}</p> : null}
      {tasks.length > 0 ? (
        <ul aria-label={t('suggestedTasks')} className="rounded-md border border-line">
          {tasks.slice(0, all ? tasks.length : SHOWN_AT_FIRST).map(task => (
            <TaskRow
              key={`${task.git_provider} ${task.repo} ${task.task_type} ${task.issue_number}`}
              task={task}
              busy={starting === task}
              disabledReason={starting && starting !== task ? t('anotherTaskStarts') : disabledReason}
              onStart={() => {
                setStarted(task)
                start.mutate(requestOfTask(draft, task))
              }}
            />
          ))}
        </ul>
      ) : null}
      {!all && tasks.length > SHOWN_AT_FIRST ? (
        <Button look="quiet" size="small" className="self-start" onClick={() => setAll(true)}>
          {t('showAllTasks', { count: tasks.length })}
        </Button>
      ) : null}
    </section>
  )
}

interface Kind {
  icon: LucideIcon
  words: string
}

const OPEN_ISSUE: Kind = { icon: CircleDot, words: t('openIssue') }
const KINDS: Readonly<Partial<Record<NonNullable<PromptedTask['task_type']>, Kind>>> = {
  MERGE_CONFLICTS: { icon: GitMerge, words: t('mergeConflicts') },
  FAILING_CHECKS: { icon: CircleX, words: t('failingChecks') },
  UNRESOLVED_COMMENTS: { icon: MessageSquareWarning, words: t('unresolvedComments') },
}

interface TaskRowProps {
  task: PromptedTask
  busy: boolean
  disabledReason: string | null
  onStart: () => void
}

function TaskRow({ task, busy, disabledReason, onStart }: TaskRowProps) {
  const { icon: Icon, words } = KINDS[task.task_type ?? 'OPEN_ISSUE'] ?? OPEN_ISSUE
  return (
    <li className="flex items-center gap-2.5 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <Icon size={15} aria-hidden className="shrink-0 text-soft" />
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={task.title}>
          {task.title}
        </span>
        <span className="block truncate text-sm text-faint">
          {words} · <span className="font-mono">{`${task.repo}#${task.issue_number}`}</span>
        </span>
      </span>
      <Button
        size="small"
        aria-label={t('startTask', { title: task.title })}
        busy={busy}
        disabledReason={disabledReason}
        onClick={onStart}
      >
        {t('start')}
      </Button>
    </li>
  )
}
