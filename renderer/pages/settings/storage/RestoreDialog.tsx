import type { Backup } from '../../../../server/api/v1/system/storage.ts'
import { useRestoreBackup } from '../../../api/storage.ts'
import { formatMoment } from '../../../state/format.ts'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { Progress } from '../../../ui/Progress.tsx'

/** Says what is replaced and what is kept, and stays until it is done. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const restore = useRestoreBackup()
  const moment = formatMoment(Date.parse(backup.created_at))
  return (
    <AlertDialog
      open
      onOpenChange={() => {
        if (!restore.isPending) onClose()
      }}
      title={`Restore the backup of ${moment}?`}
      confirm="Restore"
      busy={restore.isPending}
      onConfirm={() =>
        restore.mutate(backup, {
          onSuccess: () => {
            onClose()
            notifyDone('The backup is restored.')
          },
        })
      }
    >
      <div className="flex flex-col gap-2">
        <p>
          All conversations and settings go back to how they were then. What was stored later is missing from them.
          Agents that work now are stopped.
        </p>
        <p>The current database is kept as a backup, so that you can come back to it. Keys and sandboxes stay.</p>
        {restore.isPending ? (
          <div role="status" className="flex flex-col gap-1.5">
            <span>Restoring, and opening the database again…</span>
            <Progress label="Restoring the backup" value={null} />
          </div>
        ) : null}
        {restore.error ? <ErrorNotice error={restore.error} /> : null}
      </div>
    </AlertDialog>
  )
}
