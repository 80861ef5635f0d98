import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { SpecExport } from '../../../../../server/api/v1/sandbox/spec-files.ts'
import type { SandboxSpecInfo } from '../../../../../server/api/v1/sandbox/specs.ts'
import { specExportQuery, useExportSpec } from '../../../../api/sandbox/spec-files.ts'
import { useClient } from '../../../../api/session.ts'
import { formatBytes } from '../../../../state/format.ts'
import { saveFile } from '../../../../state/save-file.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { Progress } from '../../../../ui/Progress.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { PlainList } from './PlainList.tsx'
import { t } from './text.ts'

/** Closing it while it exports gives that up. */
export function ExportDialog({ spec: { id, title }, onClose }: { spec: SandboxSpecInfo; onClose: () => void }) {
  const { data: about, error, refetch, isFetching } = useQuery(specExportQuery(useClient(), id))
  const exporting = useExportSpec(id)
  const abort = useRef<AbortController>(null)
  const [bytes, setBytes] = useState(0)
  function close() {
    abort.current?.abort()
    onClose()
  }
  function start({ file_name }: SpecExport) {
    abort.current = new AbortController()
    setBytes(0)
    const { signal } = abort.current
    exporting.mutate(
      { signal, onProgress: setBytes },
      {
        onSuccess: content => {
          saveFile(content, file_name)
          notifyDone(t('isExported', { title }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title={t('exportTitle', { title })}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          {about && (
            <Button look="primary" busy={exporting.isPending} onClick={() => start(about)}>
              {t('export')}
            </Button>
          )}
        </>
      }
    >
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      {!about && !error ? <Skeleton label={t('lookingAtSpec')} /> : null}
      {about && <Contents about={about} />}
      {about && exporting.isPending && <Exporting title={title} done={bytes} total={about.image_bytes} />}
      {exporting.error ? <ErrorNotice error={exporting.error} /> : null}
    </Dialog>
  )
}

const MEANING = {
  named: t('namedMeans'),
  bundled: t('bundledMeans'),
  built: t('builtMeans'),
} as const satisfies Record<Exclude<SpecExport['image'], 'included'>, string>

function Contents({ about: { image, image_bytes, left_out } }: { about: SpecExport }) {
  return (
    <>
      <p>{image === 'included' ? t('includedMeans', { bytes: formatBytes(image_bytes ?? 0) }) : MEANING[image]}</p>
      <PlainList title={t('mountsAreLeftOut')} items={left_out.mounts} />
      <PlainList title={t('variablesAreLeftOut')} items={left_out.variables} />
    </>
  )
}

/** Before its first bytes the engine writes the whole image to its disk. */
function Exporting({ title, done, total }: { title: string; done: number; total: number | null }) {
  return (
    <div role="status">
      <p className="text-soft">
        {done === 0 || total === null
          ? t('engineIsPacking')
          : t('doneOfAbout', { done: formatBytes(done), total: formatBytes(total) })}
      </p>
      <Progress
        label={t('exportTitle', { title })}
        value={done === 0 || total === null ? null : { done, total }}
        className="mt-2"
      />
    </div>
  )
}
