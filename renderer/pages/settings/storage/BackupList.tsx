import { DatabaseBackup, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Backup, StorageStatus } from '../../../../server/api/v1/system/storage.ts'
import { useDeleteBackup, useMakeBackup } from '../../../api/storage.ts'
import { formatBytes, formatMoment } from '../../../state/format.ts'
import { BACKUP_REASONS } from '../../../state/storage/words.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { RemoveDialog } from '../form/RemoveDialog.tsx'
import { RowList } from '../form/RowList.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import { t } from './text.ts'

type Open = { kind: 'none' } | { kind: 'restore' | 'delete'; backup: Backup }

export function BackupList({ storage }: { storage: StorageStatus }) {
  const { backups, backup_problem: problem, database_bytes } = storage
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const make = useMakeBackup()
  const remove = useDeleteBackup()
  const close = () => setOpen({ kind: 'none' })
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button
          icon={<DatabaseBackup size={14} aria-hidden />}
          busy={make.isPending}
          onClick={() =>
            make.mutate(undefined, {
              onSuccess: ({ bytes }) => notifyDone(t('backedUp', { bytes: formatBytes(bytes) })),
            })
          }
        >
          {t('backUpNow')}
        </Button>
        <p className="text-soft">{t('databaseTakes', { bytes: formatBytes(database_bytes) })}</p>
      </div>
      {make.error ? <ErrorNotice error={make.error} /> : null}
      {problem && !make.error ? <Notice tone="wait" what={t('lastBackupFailed')} meaning={problem} /> : null}
      <RowList label={t('backups')} empty={backups.length === 0 ? t('noBackupsYet') : null}>
        {backups.map(backup => (
          <BackupRow
            key={backup.name}
            backup={backup}
            onRestore={() => setOpen({ kind: 'restore', backup })}
            onDelete={() => setOpen({ kind: 'delete', backup })}
          />
        ))}
      </RowList>
      {open.kind === 'restore' ? <RestoreDialog backup={open.backup} onClose={close} /> : null}
      {open.kind === 'delete' ? (
        <RemoveDialog
          title={t('deleteThisBackup')}
          confirm={t('delete')}
          removal={remove}
          id={open.backup.name}
          done={t('backupIsDeleted')}
          onClose={close}
        >
          {t('backupCannotBeRestored', { moment: momentOf(open.backup) })}
        </RemoveDialog>
      ) : null}
    </div>
  )
}

interface BackupRowProps {
  backup: Backup
  onRestore: () => void
  onDelete: () => void
}

function BackupRow({ backup, onRestore, onDelete }: BackupRowProps) {
  const moment = momentOf(backup)
  return (
    <li className="flex items-center gap-2 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block tabular">{moment}</span>
        <span className="block text-sm text-faint">{BACKUP_REASONS[backup.kind]}</span>
      </span>
      <span className="tabular text-soft">{formatBytes(backup.bytes)}</span>
      <Button size="small" aria-label={t('restoreBackupOfMoment', { moment })} onClick={onRestore}>
        {t('restore')}
      </Button>
      <IconButton
        size="small"
        label={t('deleteBackupOfMoment', { moment })}
        icon={<Trash2 size={13} aria-hidden />}
        onClick={onDelete}
      />
    </li>
  )
}

function momentOf({ created_at }: Backup): string {
  return formatMoment(Date.parse(created_at))
}
