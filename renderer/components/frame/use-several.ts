import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type AppConversation, deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import { deleteLater } from '../../state/conversation/leaving.ts'
import { changeMarks, marked } from '../../state/conversation/list-marks.ts'
import { ACTION_MS, notifyDone } from '../../ui/overlay/toast.ts'
import { t } from '../text.ts'
import { useCommand } from '../use-command.ts'
import type { Selection } from './use-selection.ts'

/** What is done with the selected conversations at once; both can be taken back. */
export interface Several {
  /** 0 unless there are several. */
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
  const remove = useCommand(async (client, gone: readonly string[]) => {
    const calls = gone.map(id => client.call(deleteAppConversation, { params: { conversation_id: id } }))
    const failures = (await Promise.allSettled(calls)).flatMap(call =>
      call.status === 'rejected' ? [call.reason] : [],
    )
    const failure = failures.find(error => !isGone(error))
    if (failure) throw failure
  })
  return {
    count: ids.size > 1 ? ids.size : 0,
    includes: ({ id }) => ids.size > 1 && ids.has(id),
    archive() {
      const chosen = [...ids]
      const put = (is: boolean) =>
        changeMarks(before => chosen.reduce((marks, id) => marked(marks, 'archived', id, is), before))
      put(true)
      clear()
      notifyDone(t('archivedSeveral', { count: chosen.length }), { label: t('undo'), act: () => put(false) })
    },
    askDelete: () => setAsksDelete(true),
    asksDelete,
    cancelDelete: () => setAsksDelete(false),
    delete() {
      const chosen = [...ids]
      setAsksDelete(false)
      clear()
      const act = deleteLater(chosen, () => remove.mutateAsync(chosen), ACTION_MS)
      if (openId !== undefined && ids.has(openId)) void navigate({ to: '/' })
      notifyDone(t('deletedSeveral', { count: chosen.length }), { label: t('undo'), act })
    },
  }
}

/** Somebody else has deleted it, or it went with the one that it worked for. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
