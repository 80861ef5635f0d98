import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../../api/session.ts'
import { importQuery, useGiveUpImport, useSendImport } from '../../../api/system/transfer.ts'
import { formatBytes } from '../../../state/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Counting } from './Counting.tsx'
import { FileContents } from './FileContents.tsx'
import { ImportResult } from './ImportResult.tsx'
import { t } from './text.ts'

/** Sends the file by itself. Closing it before it is checked leaves nothing. */
export function ImportDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const { mutate, data, error } = useSendImport()
  const [sent, setSent] = useState(0)
  const abort = useRef<AbortController>(null)
  useEffect(() => {
    const controller = new AbortController()
    abort.current = controller
    mutate({ file, signal: controller.signal, onProgress: setSent })
    return () => controller.abort()
  }, [file, mutate])
  if (data) return <BegunImport id={data.import_id} name={file.name} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('importTitle')}
      footer={<Button onClick={onClose}>{error ? t('close') : t('cancel')}</Button>}
    >
      <FileName name={file.name} />
      {error ? <ErrorNotice error={error} /> : null}
      {error ? null : (
        <div role="status">
          <p className="tabular text-soft">
            {t('bytesOf', { done: formatBytes(Math.min(sent, file.size)), total: formatBytes(file.size) })}
          </p>
          <Progress label={t('importTitle')} value={{ done: sent, total: file.size }} className="mt-2" />
        </div>
      )}
    </Dialog>
  )
}

export interface BegunImportProps {
  id: string
  name: string
  onClose: () => void
  /** Asked for where a folder cannot be imported. */
  onOtherFolder?: () => void
}

/** Of an import that has begun: what was found, then how far it is, then what became of it. */
export function BegunImport({ id, name, onClose, onOtherFolder }: BegunImportProps) {
  const { data, error } = useQuery(importQuery(useClient(), id))
  const giveUp = useGiveUpImport(id)
  const isAtWork = !error && (!data || data.state === 'checking' || data.state === 'importing')
  // Its marks, and what became of it, would be lost.
  const isAdding = !error && data?.state === 'importing'
  function close() {
    giveUp.mutate()
    onClose()
  }
  if (data?.state === 'checked' && data.contents) {
    return <FileContents id={id} name={name} source={data.source} contents={data.contents} onClose={close} />
  }
  if (data?.result && !isAtWork) return <ImportResult ended={data} result={data.result} onClose={close} />
  return (
    <Dialog
      open
      onOpenChange={isAdding ? undefined : close}
      title={t('importTitle')}
      footer={
        isAdding ? (
          <Button busy={giveUp.isPending} onClick={() => giveUp.mutate()}>
            {t('stop')}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{isAtWork ? t('cancel') : t('close')}</Button>
            {data?.state === 'failed' && onOtherFolder && (
              <Button look="primary" onClick={onOtherFolder}>
                {t('chooseAnotherFolder')}
              </Button>
            )}
          </>
        )
      }
    >
      <FileName name={name} />
      {error ? <ErrorNotice error={error} /> : null}
      {data?.problem ? <Notice what={data.problem} /> : null}
      {data?.state === 'stopped' ? <p>{t('importWasStopped')}</p> : null}
      {isAtWork ? <p>{isAdding ? t('adding') : t('checking')}</p> : null}
      {isAtWork ? <Counting label={t('importTitle')} progress={data?.progress} /> : null}
    </Dialog>
  )
}

function FileName({ name }: { name: string }) {
  return (
    <p className="truncate font-mono text-sm" title={name}>
      <bdi>{name}</bdi>
    </p>
  )
}
