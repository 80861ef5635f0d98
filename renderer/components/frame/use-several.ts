import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { type AppConversation, deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import { deleteLater, deleteLeftOver } from '../../state/conversation/leaving.ts'
import { ACTION_MS, notifyDone } from '../../ui/overlay/toast.ts'
import { t } from '../text.ts'
import { useCommand } from '../use-command.ts'
import { usePlaceInList } from './use-place-in-list.ts'
import type { Selection } from './use-selection.ts'

/** What is done with the selected conversations at once; both can be taken back. */
export interface Several {
  readonly count: number
  includes: (conversation: AppConversation) => boolean
  archive: () => void
  askDelete: () => void
  readonly asksDelete: boolean
  cancelDelete: () => void
  delete: () => void
}

export function useSeveral({ ids, clear }: Pick<Selection, 'ids' | 'clear'>): Several {
  const { conversationId: openId } = useParams({ strict: false })
  const navigate = useNavigate()
  const [asksDelete, setAsksDelete] = useState(false)
  // They may have gone meanwhile, and the next ones are not asked for.
  if (asksDelete && ids.size === 0) setAsksDelete(false)
  const remove = useRemoval()
  const place = usePlaceInList()
  return {
    count: ids.size,
    includes: ({ id }) => ids.has(id),
    archive() {
      const chosen = [...ids]
      const put = (archived: boolean) => place.mutate({ ids: chosen, archived })
      put(true)
      clear()
      notifyDone(t('archivedSeveral', { count: chosen.length }), { label: t('undo'), act: () => put(false) })
    },
    askDelete: () => setAsksDelete(true),
    asksDelete: asksDelete && ids.size > 0,
    cancelDelete: () => setAsksDelete(false),
    delete() {
      const chosen = [...ids]
      setAsksDelete(false)
      clear()
      if (openId !== undefined && ids.has(openId)) void navigate({ to: '/' })
      const act = deleteLater(
        chosen,
        gone => {
          // Its clock stands still while it is looked at: it must not offer what is too late.
          close()
          return remove.mutateAsync(gone)
        },
        ACTION_MS,
      )
      const close = notifyDone(t('deletedSeveral', { count: chosen.length }), { label: t('undo'), act })
    },
  }
}

function useRemoval() {
  return useCommand(async (client, gone: readonly string[]) => {
    const calls = gone.map(id => client.call(deleteAppConversation, { params: { conversation_id: id } }))
    const failures = (await Promise.allSettled(calls)).flatMap(call =>
      call.status === 'rejected' ? [call.reason] : [],
    )
    const failure = failures.find(error => !isGone(error))
    if (failure) throw failure
  })
}

/** Deletes what was to be deleted when a window was closed or loaded again. */
export function useLeftOverDeletions(): void {
  const remove = useRemoval()
  const act = useEffectEvent((ids: readonly string[]) => remove.mutateAsync(ids))
  useEffect(() => deleteLeftOver(ids => act(ids)), [])
}

/** Somebody else has deleted it, or it went with the one that it worked for. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
