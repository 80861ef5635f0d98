import { useBlocker } from '@tanstack/react-router'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'

/** Asks before what is not saved is lost. Going from section to section loses nothing. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => unsaved && !next.pathname.startsWith('/settings'),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })
  return (
    <AlertDialog
      open={blocker.status === 'blocked'}
      onOpenChange={open => {
        if (!open) blocker.reset?.()
      }}
      title="Leave without saving?"
      confirm="Discard the changes"
      cancel="Stay"
      onConfirm={() => blocker.proceed?.()}
    >
      What you changed here is not saved yet.
    </AlertDialog>
  )
}
