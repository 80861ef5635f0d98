import { type AppConversation, deleteAppConversation } from '../../server/api/v1/conversation/conversations.ts'
import { titleOf } from '../state/conversation/list.ts'
import { AlertDialog } from '../ui/overlay/AlertDialog.tsx'
import { t } from './text.ts'
import { useCommand } from './use-command.ts'

interface DeleteConversationProps {
  conversation: Pick<AppConversation, 'id' | 'title' | 'mounted_folder'>
  open: boolean
  onOpenChange: (open: boolean) => void
  onDeleted: () => void
}

/** Asks before a conversation is deleted with everything in it. */
export function DeleteConversation({ conversation, open, onOpenChange, onDeleted }: DeleteConversationProps) {
  const { id, mounted_folder } = conversation
  const remove = useCommand(async client => {
    await client.call(deleteAppConversation, { params: { conversation_id: id } })
    onOpenChange(false)
    onDeleted()
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
