import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { RouteBodyInput } from '../../server/api/contract/route.ts'
import { readSavedLog, startReplay } from '../../server/api/v1/conversation/replays.ts'
import { cancelStartTask } from '../../server/api/v1/conversation/start-tasks.ts'
import {
  type AppConversationStartTask,
  createAppConversation,
  startDemonstration,
} from '../../server/api/v1/conversation/starts.ts'
import { formatBytes } from '../state/format.ts'
import { notifyDone, notifyError } from '../ui/overlay/toast.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'
import { t } from './text.ts'

/** What is started: each is repeated in its own way. */
export const START_KINDS = ['task', 'demonstration', 'replay'] as const
export type StartKind = (typeof START_KINDS)[number]

export type StartRequest = RouteBodyInput<typeof createAppConversation>

/**
 * Starts a conversation and goes to its steps, unless the person has gone elsewhere meanwhile.
 * @param onStarted runs before the page is left, and says whether it may be
 */
export function useStart(onStarted?: () => boolean) {
  const client = useClient()
  const goToStart = useGoToStart()
  return useMutation({
    mutationKey: STARTS,
    mutationFn: (request: StartRequest) => client.call(createAppConversation, { body: request }),
    onMutate: goToStart.from,
    onSuccess: (task, _, from) => {
      const mayLeave = onStarted?.() ?? true
      return goToStart.go(task, 'task', mayLeave ? from : null)
    },
  })
}

const STARTS = ['starts']

/** Whether a start is asked for that has not been answered, also on a page that was left since. */
export const useIsStarting = () => useIsMutating({ mutationKey: STARTS }) > 0

export function useDemonstration() {
  const client = useClient()
  const goToStart = useGoToStart()
  return useMutation({
    mutationFn: () => client.call(startDemonstration),
    onMutate: goToStart.from,
    onSuccess: (task, _, from) => goToStart.go(task, 'demonstration', from),
    onError: notifyError,
  })
}

export function useReadSavedLog() {
  const client = useClient()
  return useMutation({
    mutationFn: (file: File) => {
      if (file.size > MAX_SAVED_LOG_BYTES)
        throw new Error(t('logTooLarge', { size: formatBytes(file.size), limit: formatBytes(MAX_SAVED_LOG_BYTES) }))
      const form = new FormData()
      form.set('file', file)
      return client.call(readSavedLog, { form })
    },
  })
}

const MAX_SAVED_LOG_BYTES = 100_000_000

/** `onStarted` runs before the page is left. */
export function useReplay(onStarted: () => void) {
  const client = useClient()
  const goToStart = useGoToStart()
  return useMutation({
    mutationFn: (request: RouteBodyInput<typeof startReplay>) => client.call(startReplay, { body: request }),
    onMutate: goToStart.from,
    onSuccess: (task, _, from) => {
      onStarted()
      return goToStart.go(task, 'replay', from)
    },
  })
}

export function useCancelStart(taskId: string) {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(cancelStartTask, { params: { task_id: taskId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.startTasks }),
    onError: notifyError,
  })
}

/** `from` is the page that a start is asked for on: another is not left for it. */
function useGoToStart() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  const here = () => router.state.location.pathname
  return {
    from: here,
    go: async (task: AppConversationStartTask, kind: StartKind, from: string | null) => {
      queryClient.setQueryData(keys.startTask(task.id), task)
      void queryClient.invalidateQueries({ queryKey: keys.openStartTasks })
      const show = () =>
        navigate({
          to: '/starting/$taskId',
          params: { taskId: task.id },
          search: kind === 'task' ? {} : { kind },
        })
      if (from === here()) return show()
      notifyDone(t('taskIsStarted'), { label: t('showStart'), act: () => void show() })
    },
  }
}
