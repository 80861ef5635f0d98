import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AppConversation, deleteAppConversation } from '../../server/api/v1/conversation/conversations.ts'
import { keys } from '../api/query-keys.ts'
import { useClient } from '../api/session.ts'
import { titleOf } from '../state/conversation/list.ts'
import { AlertDialog } from '../ui/overlay/AlertDialog.tsx'
import { notifyError } from '../ui/overlay/toast.ts'
import { t } from './text.ts'

interface DeleteConversationProps {
  conversation: Pick<AppConversation, 'id' | 'title' | 'mounted_folder'>
  open: boolean
  onOpenChange: (open: boolean) => void
  onDeleted: () => void
}

/** Asks before a conversation is deleted with everything in it. */
export function DeleteConversation({ conversation, open, onOpenChange, onDeleted }: DeleteConversationProps) {
  const { id, mounted_folder } = conversation
  const client = useClient()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.call(deleteAppConversation, { params: { conversation_id: id } }),
    onSuccess: () => {
      onOpenChange(false)
      onDeleted()
    },
    onError: notifyError,
    onSettled: () =>
      Promise.all([keys.conversations, keys.sandboxes].map(queryKey => queries.invalidateQueries({ queryKey }))),
  })
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('deleteThisConversation')}
      confirm={t('delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {t('whatIsDeleted', { title: titleOf(conversation) })}
      {mounted_folder ? ` ${t('folderStays', { path: mounted_folder })}` : null}
    </AlertDialog>
  )
}
