import { useBlocker } from '@tanstack/react-router'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { t } from './text.ts'

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
      title={t('leaveWithoutSaving')}
      confirm={t('discardChanges')}
      cancel={t('stay')}
      onConfirm={() => blocker.proceed?.()}
    >
      {t('whatYouChangedHere')}
    </AlertDialog>
  )
}
