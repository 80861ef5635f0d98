import { File, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { shownName } from '../../state/files/tree.ts'
import { formatBytes } from '../../state/format.ts'
import type { FileUpload } from '../../state/launch/file-uploads.ts'
import { problemOf } from '../../state/notice/problems.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useFocusHeir } from '../../ui/focus-heir.ts'
import { Progress } from '../../ui/Progress.tsx'
import { AttachedChip, lastButtonIn } from './AttachedChip.tsx'
import { t } from './text.ts'

interface UploadChipsProps {
  uploads: readonly FileUpload[]
  onRemove: (upload: FileUpload) => void
  onAgain: (upload: FileUpload) => void
}

/** The files of this computer that go with the message: how far each is, and why one failed. */
export function UploadChips({ uploads, onRemove, onAgain }: UploadChipsProps) {
  if (uploads.length === 0) return null
  return (
    <ul aria-label={t('attachedFiles')} className="flex max-h-48 flex-wrap gap-2 overflow-auto px-3 pt-2">
      {uploads.map(upload => (
        <UploadChip key={upload.id} upload={upload} onRemove={onRemove} onAgain={onAgain} />
      ))}
    </ul>
  )
}

function UploadChip({ upload, onRemove, onAgain }: Omit<UploadChipsProps, 'uploads'> & { upload: FileUpload }) {
  const { bytes, state } = upload
  const name = shownName(upload.name)
  const failed = state.kind === 'failed'
  return (
    <AttachedChip
      className={`flex min-h-8 max-w-full flex-wrap items-center gap-x-2 rounded-sm border py-0.5 ps-2 pe-1 ${failed ? 'border-bad bg-bad-wash' : 'border-line'}`}
    >
      <File size={13} aria-hidden className="shrink-0 text-faint" />
      <span
        title={state.kind === 'done' && state.at.startsWith('/') ? shownName(state.at) : name}
        className="max-w-60 truncate font-mono text-sm"
      >
        {name}
      </span>
      {bytes === null ? null : <span className="shrink-0 text-soft text-sm">{formatBytes(bytes)}</span>}
      {state.kind === 'sending' && (
        <span className="w-16 shrink-0">
          <Progress label={t('uploadingName', { name })} value={{ done: state.sent, total: Math.max(1, bytes ?? 1) }} />
        </span>
      )}
      {failed && (
        <Failure name={name} reason={state.reason}>
          <Button size="small" aria-label={t('uploadAgain', { name })} onClick={() => onAgain(upload)}>
            {t('tryAgain')}
          </Button>
        </Failure>
      )}
      <IconButton
        size="small"
        label={state.kind === 'sending' ? t('cancelUploadOf', { name }) : t('removeAttached', { name })}
        icon={<X size={12} aria-hidden />}
        onClick={() => onRemove(upload)}
      />
    </AttachedChip>
  )
}

/** Why it failed, and what can be done: that goes away when it is done, and the other button of the file stays. */
function Failure({ name, reason, children }: { name: string; reason: unknown; children: ReactNode }) {
  const own = useFocusHeir<HTMLSpanElement>(({ parentElement }) => lastButtonIn(parentElement))
  return (
    <span ref={own} className="contents">
      <span role="alert" className="min-w-0 text-sm">
        <span className="sr-only">{name}: </span>
        {problemOf(reason).what}
      </span>
      {children}
    </span>
  )
}
