import { useEffect, useRef, useState } from 'react'
import { useImportSpec } from '../../../../api/sandbox/spec-files.ts'
import { formatBytes } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { ImportedSpecDialog } from './ImportedSpecDialog.tsx'
import { t } from './text.ts'

export interface ImportDialogProps {
  file: File
  /** After one that could not be imported. */
  onChooseAnother: () => void
  onClose: () => void
}

/** Begins by itself. Closing it before the end gives the import up, which leaves nothing. */
export function ImportDialog({ file, onChooseAnother, onClose }: ImportDialogProps) {
  const { mutate, data, error, isPending } = useImportSpec()
  const [sent, setSent] = useState(0)
  const abort = useRef<AbortController>(null)
  useEffect(() => {
    const controller = new AbortController()
    abort.current = controller
    mutate({ file, signal: controller.signal, onProgress: setSent })
    return () => controller.abort()
  }, [file, mutate])
  if (data) return <ImportedSpecDialog imported={data} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('importSpec')}
      footer={
        <>
          <Button onClick={onClose}>{error ? t('close') : t('cancel')}</Button>
          {error ? (
            <Button look="primary" onClick={onChooseAnother}>
              {t('chooseAnotherFile')}
            </Button>
          ) : null}
        </>
      }
    >
      <p className="truncate font-mono text-sm" title={file.name}>
        <bdi>{file.name}</bdi>
      </p>
      {isPending && <Sending sent={sent} total={file.size} />}
      {error ? <ErrorNotice error={error} /> : null}
    </Dialog>
  )
}

/** The service takes no more than the engine does, so what was sent is about what was loaded. */
function Sending({ sent, total }: { sent: number; total: number }) {
  const isSent = sent >= total
  return (
    <div role="status">
      <p className="text-soft">
        {isSent ? t('engineIsUnpacking') : t('doneOf', { done: formatBytes(sent), total: formatBytes(total) })}
      </p>
      <Progress label={t('importSpec')} value={isSent ? null : { done: sent, total }} className="mt-2" />
    </div>
  )
}
