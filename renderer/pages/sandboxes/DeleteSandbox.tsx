import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { SandboxInfo } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { titleOf } from '../../state/conversation/list.ts'
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx'

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
      title="Delete this sandbox?"
      confirm="Delete the sandbox"
      onConfirm={onConfirm}
    >
      <p>Its files are deleted with it. What was not pushed or copied out is lost.</p>
      {conversations.length > 0 ? (
        <>
          <p className="mt-2">These conversations keep their history, but their agent has no sandbox any more:</p>
          <ul className="mt-1 list-disc pl-5">
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
