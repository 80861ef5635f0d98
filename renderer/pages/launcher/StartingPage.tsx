import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AppConversationStartTask } from '../../../server/api/v1/conversation/starts.ts'
import { startTaskQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { type StartKind, type StartRequest, useCancelStart, useDemonstration, useStart } from '../../api/start.ts'
import { ReplayDialog } from '../../components/ReplayDialog.tsx'
import { useNow } from '../../state/clock.ts'
import { formatDuration, repositoryName } from '../../state/format.ts'
import { attachmentsOf } from '../../state/launch/attached-files.ts'
import { NO_ATTACHMENTS } from '../../state/launch/composer-attachments.ts'
import { useTaskIntoLauncher } from '../../state/launch/draft.ts'
import { uploadsOfStart } from '../../state/launch/file-uploads.ts'
import { draftOf, imagesOf } from '../../state/launch/launch.ts'
import { shownSteps, startDuration } from '../../state/launch/start-steps.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StartStepRow } from './StartStepRow.tsx'
import { t } from './text.ts'

export interface StartingPageProps {
  taskId: string
  kind: StartKind
}

/** A start under way: its real steps with their times, until the conversation takes the page over. */
export function StartingPage({ taskId, kind }: StartingPageProps) {
  // Changes are pushed; asking now and then covers a frame that was lost.
  const { data: task, ...query } = useQuery({
    ...startTaskQuery(useClient(), taskId),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : 2_000),
  })
  if (task?.status === 'READY' && task.app_conversation_id) {
    return (
      <Navigate
        to="/conversations/$conversationId"
        params={{ conversationId: task.app_conversation_id }}
        search={task.request.attempts ? { tab: 'attempts' } : {}}
        replace
      />
    )
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-150 flex-col gap-5 px-5 pt-[14vh] pb-10">
        {query.isPending ? <Skeleton label={t('loadingStart')} lines={4} /> : null}
        {query.isError ? (
          <ErrorNotice error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : null}
        {task === null ? <UnknownStart /> : null}
        {task ? <StartProgress task={task} kind={kind} /> : null}
      </div>
    </div>
  )
}

const isOver = ({ status }: AppConversationStartTask) => status === 'READY' || status === 'ERROR'

const KIND_WORDS: Readonly<Record<StartKind, string | null>> = {
  task: null,
  demonstration: t('demonstration'),
  replay: t('replayOfSavedLog'),
}

function StartProgress({ task, kind }: { task: AppConversationStartTask; kind: StartKind }) {
  const now = useNow(100)
  const failed = task.status === 'ERROR'
  const { selected_repository: repository, selected_branch: branch, attempts } = task.request
  const cancel = useCancelStart(task.id)
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold">{failed ? t('conversationWasNotStarted') : t('startingConversation')}</h1>
        <p className="tabular mt-0.5 text-faint">
          {[
            KIND_WORDS[kind],
            repository ? repositoryName(repository) : null,
            branch,
            attempts ? t('attemptCount', { count: attempts.models.length }) : null,
            formatDuration(startDuration(task, now)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <TaskText task={task} />
      <ol aria-label={t('steps')} className="flex flex-col">
        {shownSteps(task).map(step => (
          <StartStepRow key={step.status} step={step} now={now} />
        ))}
      </ol>
      {failed ? (
        <FailedStart task={task} kind={kind} cancelled={cancel.isSuccess} />
      ) : (
        <Button className="self-start" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('cancel')}
        </Button>
      )}
    </>
  )
}

function TaskText({ task }: { task: AppConversationStartTask }) {
  const text = task.request.initial_message?.content.find(part => part.type === 'text')?.text
  return text ? <p className="line-clamp-3 border-s-2 border-line ps-3 whitespace-pre-wrap text-soft">{text}</p> : null
}

interface FailedStartProps {
  task: AppConversationStartTask
  kind: StartKind
  /** It was ended here, on purpose: no alarm. */
  cancelled: boolean
}

function FailedStart({ task, kind, cancelled }: FailedStartProps) {
  const intoLauncher = useTaskIntoLauncher()
  const start = useStart()
  const restart = useDemonstration()
  // A request that fails its schema was never a task, so what was asked once can be asked again.
  const request: StartRequest = task.request
  const retry = () =>
    kind === 'demonstration' ? restart.mutate() : start.mutate({ ...request, conversation_id: null })
  function change() {
    const images = attachmentsOf(imagesOf(task.request))
    const uploads = uploadsOfStart(task.request.attachments ?? [])
    intoLauncher(draftOf(task.request), { ...NO_ATTACHMENTS, images, uploads })
  }
  const again = (
    <>
      <Button size="small" look="primary" busy={start.isPending || restart.isPending} onClick={retry}>
        {t('tryAgain')}
      </Button>
      <Link to="/" onClick={change} className={buttonClass('secondary', 'small')}>
        {t('changeTask')}
      </Link>
      {task.steps.at(-1)?.status === 'WAITING_FOR_SANDBOX' ? (
        <Link to="/sandboxes" className={buttonClass('secondary', 'small')}>
          {t('openSandboxes')}
        </Link>
      ) : null}
    </>
  )
  return (
    <>
      <Notice
        tone={cancelled ? 'wait' : 'bad'}
        what={task.detail ?? t('startFailed')}
        meaning={kind === 'replay' ? t('nothingIsLeftRunning') : t('nothingIsLeftRunningTextKept')}
      >
        {kind === 'replay' ? <ReplayAgain /> : again}
      </Notice>
      {start.error ? <ErrorNotice error={start.error} /> : null}
    </>
  )
}

/** The log is the file's, so it is chosen again. */
function ReplayAgain() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" look="primary" onClick={() => setOpen(true)}>
        {t('chooseLogAgain')}
      </Button>
      {open ? <ReplayDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function UnknownStart() {
  return (
    <EmptyState
      title={t('thereIsNoSuchStart')}
      action={
        <Link to="/" className={buttonClass('secondary')}>
          {t('newConversation')}
        </Link>
      }
    >
      {t('itMayHaveBeenRemoved')}
    </EmptyState>
  )
}
