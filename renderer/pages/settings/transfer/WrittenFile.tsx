import { useRef, useState } from 'react'
import type { DataExport } from '../../../../server/api/v1/transfer/exports.ts'
import { useFetchExport } from '../../../api/system/transfer.ts'
import { formatBytes } from '../../../state/format.ts'
import { saveFile } from '../../../state/save-file.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { PlainList } from '../specs/file/PlainList.tsx'
import { t } from './text.ts'

/** A file that waits to be kept somewhere. */
export function WrittenFile({ written, onClose }: { written: DataExport; onClose: () => void }) {
  const { export_id, file_name, progress, left_out } = written
  const total = written.bytes ?? 0
  const fetching = useFetchExport()
  const abort = useRef<AbortController>(null)
  const [bytes, setBytes] = useState(0)
  function close() {
    abort.current?.abort()
    onClose()
  }
  function save() {
    abort.current = new AbortController()
    const { signal } = abort.current
    fetching.mutate(
      { export_id, signal, onProgress: setBytes },
      {
        onSuccess: content => {
          saveFile(content, file_name)
          notifyDone(t('isExported'))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title={t('fileIsReady')}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button look="primary" busy={fetching.isPending} onClick={save}>
            {t('saveFile')}
          </Button>
        </>
      }
    >
      <p>
        {t('fileHolds', {
          conversations: progress.conversations,
          events: progress.events,
          bytes: formatBytes(total),
        })}
      </p>
      {left_out.damaged_conversations > 0 ? (
        <p>{t('damagedAreLeftOut', { count: left_out.damaged_conversations })}</p>
      ) : null}
      {progress.folders > 0 ? <p>{t('countOfFolders', { count: progress.folders })}</p> : null}
      <PlainList title={t('foldersAreLeftOut')} items={left_out.working_folders} />
      <PlainList title={t('specsAreLeftOut')} items={left_out.specs} />
      <PlainList title={t('variablesAreLeftOut')} items={left_out.variables} />
      <PlainList title={t('signInsAreLeftOut')} items={left_out.sign_ins} />
      {fetching.isPending && <Progress label={t('saveFile')} value={{ done: bytes, total }} />}
      {fetching.error ? <ErrorNotice error={fetching.error} /> : null}
    </Dialog>
  )
}
