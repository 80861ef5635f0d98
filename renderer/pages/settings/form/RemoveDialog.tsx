import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'

interface Props {
  title: string
  /** The verb of the button. */
  confirm: string
  /** Takes `id`. */
  removal: UseMutationResult<unknown, Error, string>
  id: string
  /** Said when it is gone. */
  done: string
  onClose: () => void
  children: ReactNode
}

/** Asks before one thing is removed for good. */
export function RemoveDialog({ title, confirm, removal, id, done, onClose, children }: Props) {
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={title}
      confirm={confirm}
      busy={removal.isPending}
      onConfirm={() =>
        // With what was removed this dialog may go before the answer.
        removal
          .mutateAsync(id)
          .then(() => notifyDone(done), notifyError)
          .finally(onClose)
      }
    >
      {children}
    </AlertDialog>
  )
}
