import { useState } from 'react'
import type { UploadState, Uploads, UploadsSnapshot } from '../../../../state/files/upload/uploads.ts'
import { formatBytes } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useFocusHeir } from '../../../../ui/focus-heir.ts'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { t } from './text.ts'
import { UploadFailures } from './UploadFailures.tsx'
import { UploadQuestion } from './UploadQuestion.tsx'

interface UploadBarProps extends UploadsSnapshot {
  uploads: Uploads
  /** Gets the focus that was in it when it goes away. */
  heir: () => HTMLElement | null | undefined
}

/** How far an upload is, what it has to ask, and what became of it. */
export function UploadBar(props: UploadBarProps) {
  return props.state && <ShownUpload {...props} state={props.state} />
}

function ShownUpload({ uploads, state, question, heir }: UploadBarProps & { state: UploadState }) {
  const bar = useFocusHeir<HTMLDivElement>(heir)
  const keepFocus = () => bar.current
  return (
    <div ref={bar} tabIndex={-1} className="shrink-0 outline-none">
      {state.kind === 'failed' && <UploadFailures state={state} uploads={uploads} heir={keepFocus} />}
      {state.kind === 'asking' && <ManyFiles {...state} />}
      {(state.kind === 'reading' || state.kind === 'sending') && (
        <Under state={state} onStop={() => uploads.stop()} heir={keepFocus} />
      )}
      {question && <UploadQuestion key={question.path} question={question} />}
    </div>
  )
}

function ManyFiles({ files, bytes, answer }: Extract<UploadState, { kind: 'asking' }>) {
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

interface UnderProps {
  state: Extract<UploadState, { kind: 'reading' | 'sending' }>
  onStop: () => void
  heir: () => HTMLElement | null
}

function Under({ state, onStop, heir }: UnderProps) {
  const own = useFocusHeir<HTMLDivElement>(heir)
  const progress = state.kind === 'sending' ? state.progress : null
  const words =
    state.kind === 'sending'
      ? t('uploading', { done: String(state.progress.done + 1), total: String(state.progress.total) })
      : t('readingFolder', { count: state.files })
  // Said once for each part of the work: whoever listens would hear nothing else.
  const [said, setSaid] = useState({ kind: state.kind, words })
  if (said.kind !== state.kind) setSaid({ kind: state.kind, words })
  return (
    <div ref={own} className="flex items-center gap-2 border-line border-t px-3 py-2">
      <p role="status" className="sr-only">
        {said.words}
      </p>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span aria-hidden className="text-sm">
          {words}
        </span>
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
      <Button size="small" onClick={onStop}>
        {t('stopUpload')}
      </Button>
    </div>
  )
}
