import { formatBytes } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { t } from './text.ts'
import { UploadFailures } from './UploadFailures.tsx'
import { UploadQuestion } from './UploadQuestion.tsx'
import type { Uploads } from './use-uploads.ts'

/** How far an upload is, what it has to ask, and what became of it. */
export function UploadBar({ uploads }: { uploads: Uploads }) {
  const { state, question, stop } = uploads
  if (!state) return null
  if (state.kind === 'failed') return <UploadFailures state={state} uploads={uploads} />
  if (state.kind === 'asking') {
    const { files, bytes, answer } = state
    return (
      <Dialog
        open
        onOpenChange={() => answer(false)}
        title={t('uploadMany', { count: files, size: formatBytes(bytes) })}
        footer={
          <>
            <Button onClick={() => answer(false)}>{t('cancel')}</Button>
            <Button look="primary" onClick={() => answer(true)}>
              {t('upload')}
            </Button>
          </>
        }
      >
        {t('uploadManyText')}
      </Dialog>
    )
  }
  const progress = state.kind === 'sending' ? state.progress : null
  const words = progress
    ? t('uploading', { done: String(progress.done + 1), total: String(progress.total) })
    : t('readingFolder', { count: state.kind === 'reading' ? state.files : 0 })
  return (
    <div role="status" className="flex shrink-0 items-center gap-2 border-line border-t px-3 py-2">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="text-sm">{words}</span>
        <Progress
          label={words}
          value={
            progress && {
              done: Math.min(progress.bytes, progress.allBytes),
              total: Math.max(1, progress.allBytes),
            }
          }
        />
      </div>
      <Button size="small" onClick={stop}>
        {t('stopUpload')}
      </Button>
      {question && <UploadQuestion question={question} />}
    </div>
  )
}
