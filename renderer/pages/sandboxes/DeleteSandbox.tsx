import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { SandboxInfo } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { titleOf } from '../../state/conversation/list.ts'
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx'
import { t } from './text.ts'

export interface DeleteSandboxProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  sandbox: SandboxInfo
  conversations: AppConversation[]
  onConfirm: () => void
}

/** Says whose work goes with it. */
export function DeleteSandbox({ open, onOpenChange, sandbox, conversations, onConfirm }: DeleteSandboxProps) {
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('deleteThisSandbox')}
      confirm={t('deleteSandbox')}
      onConfirm={onConfirm}
    >
      <p>{t('itsFilesAreDeleted')}</p>
      {conversations.length > 0 ? (
        <>
          <p className="mt-2">{t('conversationsWithoutSandbox')}</p>
          <ul className="mt-1 list-disc ps-5">
            {conversations.map(conversation => (
              <li key={conversation.id}>{titleOf(conversation)}</li>
            ))}
          </ul>
        </>
      ) : null}
      <p className="mt-2 font-mono text-sm break-all text-faint">{sandbox.id}</p>
    </AlertDialog>
  )
}
