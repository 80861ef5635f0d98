import type { Backup } from '../../../../server/api/v1/system/storage.ts'
import { useRestoreBackup } from '../../../api/storage.ts'
import { formatMoment } from '../../../state/format.ts'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { t } from './text.ts'

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
      title={t('restoreBackupQuestion', { moment })}
      confirm={t('confirmRestore')}
      busy={restore.isPending}
      onConfirm={() =>
        restore.mutate(backup, {
          onSuccess: () => {
            onClose()
            notifyDone(t('backupIsRestored'))
          },
        })
      }
    >
      <div className="flex flex-col gap-2">
        <p>{t('restoreHint')}</p>
        <p>{t('currentDatabaseIsKept')}</p>
        {restore.isPending ? (
          <div role="status" className="flex flex-col gap-1.5">
            <span>{t('restoring')}</span>
            <Progress label={t('restoringBackup')} value={null} />
          </div>
        ) : null}
        {restore.error ? <ErrorNotice error={restore.error} /> : null}
      </div>
    </AlertDialog>
  )
}
