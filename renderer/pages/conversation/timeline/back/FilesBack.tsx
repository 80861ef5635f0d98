import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ReviewFile } from '../../../../../server/api/v1/conversation/review.ts'
import { comparedWith } from '../../../../api/checkpoints.ts'
import { reviewFileQuery } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { shownName } from '../../../../state/files/tree.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { DiffView } from '../action/DiffView.tsx'
import { t } from '../text.ts'

/** More are counted: nobody reads them one by one. */
const MAX_SHOWN = 500

interface Props {
  /** What has become of them since the checkpoint. */
  files: readonly ReviewFile[]
  isComplete: boolean
  checkpointId: string
}

/** What becomes of the files when they go back to a checkpoint. */
export function FilesBack({ files, isComplete, checkpointId }: Props) {
  if (files.length === 0) return <p className="text-soft">{t('filesAreSame')}</p>
  const more = files.length - MAX_SHOWN
  return (
    <section aria-label={t('filesThatChange')} className="flex flex-col gap-1">
      <h3 className="font-medium">
        {t(isComplete ? 'filesChangeBack' : 'atLeastFilesChangeBack', { count: files.length })}
      </h3>
      <ul className="rounded-md border border-line">
        {files.slice(0, MAX_SHOWN).map(file => (
          <Row key={file.path} file={file} checkpointId={checkpointId} />
        ))}
      </ul>
      {more > 0 && <p className="text-faint">{t('andMore', { count: more })}</p>}
      <p className="text-faint text-sm">{t('whatGoingBackLeaves')}</p>
    </section>
  )
}

function Row({ file, checkpointId }: { file: ReviewFile; checkpointId: string }) {
  const { path, old_path, status, additions, deletions } = file
  const [open, setOpen] = useState(false)
  return (
    <li className="border-line border-b [content-visibility:auto] last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        title={shownName(path)}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-1.5 px-2 py-1 text-start hover:bg-hover"
      >
        <ChevronRight size={13} aria-hidden className={`shrink-0 text-faint ${open ? 'rotate-90' : ''}`} />
        <span className="min-w-0 flex-1 break-all font-mono text-sm">
          {old_path === null ? (
            <PathText path={path} />
          ) : (
            <bdi>{t('movesBackTo', { path: shownName(path), old: shownName(old_path) })}</bdi>
          )}
        </span>
        {status === 'ADDED' && <Badge tone="bad">{t('isRemoved')}</Badge>}
        {status === 'DELETED' && <Badge tone="good">{t('comesBack')}</Badge>}
        {additions !== null && deletions !== null && (
          <span className="shrink-0 text-sm tabular">
            <span className="text-good">+{deletions}</span> <span className="text-bad">−{additions}</span>
          </span>
        )}
      </button>
      {open && <Difference file={file} checkpointId={checkpointId} />}
    </li>
  )
}

function Difference({ file, checkpointId }: { file: ReviewFile; checkpointId: string }) {
  const { id } = useOpenConversation()
  const { data, error, refetch, isFetching } = useQuery(
    reviewFileQuery(useClient(), id, comparedWith(checkpointId), file),
  )
  if (error && !data)
    return (
      <div className="p-2">
        <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
      </div>
    )
  if (!data) return <Skeleton label={t('comparingFiles')} className="p-3" />
  const now = data.modified ? data.modified.text : ''
  const then = data.original ? data.original.text : ''
  if (now === null || then === null) return <p className="px-3 pb-2 text-soft">{t('notText')}</p>
  return <DiffView path={file.path} before={now} after={then} />
}
