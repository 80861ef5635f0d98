import { Check, ChevronRight } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { ReviewFile } from '../../../../../server/api/v1/conversation/review.ts'
import { nameIn, shownName } from '../../../../state/files/tree.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { OpenThreads } from '../../pull-request/OpenThreads.tsx'
import { CommentCount } from './CommentCount.tsx'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

/** As many as a tall window has room for. */
const FIRST_FILES = 50

/** The changed files by folder, with a filter over them. */
export function ReviewList({ review }: { review: Review }) {
  const { files, all, filter, setFilter, list } = review
  // The rest is drawn once the first difference stands.
  const folders = byFolder(useDeferredValue(files, files.slice(0, FIRST_FILES)))
  return (
    <nav
      aria-label={t('changedFiles')}
      className="flex max-h-1/3 w-full shrink-0 flex-col border-line border-b narrow:max-h-none narrow:w-72 narrow:border-e narrow:border-b-0"
    >
      <div className="p-2">
        <Input
          aria-label={t('filterFiles')}
          placeholder={t('filterFiles')}
          value={filter}
          onValueChange={setFilter}
          className="w-full"
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto pb-2">
        {files.length === 0 && all.length > 0 && (
          <p className="px-3 text-soft">{t('noFileMatches', { count: all.length })}</p>
        )}
        {[...folders].map(([folder, inFolder]) => (
          <Folder key={folder} folder={folder} files={inFolder} review={review} />
        ))}
        <Unlisted review={review} />
        {list.data?.complete === false && <p className="px-3 py-2 text-soft">{t('notAllFilesListed')}</p>}
      </div>
    </nav>
  )
}

function byFolder(files: readonly ReviewFile[]): Map<string, ReviewFile[]> {
  const folders = new Map<string, ReviewFile[]>()
  for (const file of files) {
    const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')))
    const known = folders.get(folder)
    if (known) known.push(file)
    else folders.set(folder, [file])
  }
  return folders
}

function Folder({ folder, files, review }: { folder: string; files: readonly ReviewFile[]; review: Review }) {
  const [open, setOpen] = useState(true)
  return (
    <>
      {folder !== '' && (
        <button
          type="button"
          aria-expanded={open}
          title={shownName(folder)}
          onClick={() => setOpen(!open)}
          className="flex h-7 w-full items-center gap-1 px-2 text-soft hover:bg-hover"
        >
          <ChevronRight size={13} aria-hidden className={`shrink-0 ${open ? 'rotate-90' : ''}`} />
          <span className="truncate">
            <PathText path={folder} />
          </span>
          <span className="ms-auto text-faint text-sm tabular">{files.length}</span>
        </button>
      )}
      {open && (
        <ul>
          {files.map(file => (
            <FileLine key={file.path} file={file} isInFolder={folder !== ''} review={review} />
          ))}
        </ul>
      )}
    </>
  )
}

function FileLine({ file, isInFolder, review }: { file: ReviewFile; isInFolder: boolean; review: Review }) {
  const { path, old_path, status, additions, deletions } = file
  const isChosen = review.file === file
  return (
    <li className="[content-visibility:auto]">
      <button
        type="button"
        aria-current={isChosen}
        title={
          old_path === null ? shownName(path) : t('movedFrom', { path: shownName(path), old: shownName(old_path) })
        }
        onClick={() => review.choose(path)}
        className={`flex h-7 w-full items-center gap-1.5 pe-3 ${isInFolder ? 'ps-6.5' : 'ps-3'} ${isChosen ? 'bg-selected' : 'hover:bg-hover'}`}
      >
        {review.isViewed(file) && (
          <Check size={13} role="img" aria-label={t('viewed')} className="shrink-0 text-good" />
        )}
        <span className="truncate">
          <PathText path={nameIn(path)} />
        </span>
        <span className="ms-auto flex shrink-0 items-center gap-1.5 text-sm tabular">
          <CommentCount comments={review.sentOf(file)} />
          <OpenThreads count={review.threadsOf(file).filter(({ resolved }) => !resolved).length} />
          <StatusBadge status={status} />
          {additions !== null && <span className="text-good">+{additions}</span>}
          {deletions !== null && <span className="text-bad">−{deletions}</span>}
        </span>
      </button>
    </li>
  )
}

/** Files with comments that are not among the changes. */
function Unlisted({ review }: { review: Review }) {
  const { unlisted, unlistedPath, choose, sentOf } = review
  if (unlisted.length === 0) return null
  return (
    <>
      <h3 className="px-3 pt-3 pb-1 text-faint text-sm">{t('otherFilesWithComments')}</h3>
      <ul>
        {unlisted.map(path => (
          <li key={path}>
            <button
              type="button"
              aria-current={path === unlistedPath}
              title={shownName(path)}
              onClick={() => choose(path)}
              className={`flex h-7 w-full items-center gap-1.5 px-3 ${path === unlistedPath ? 'bg-selected' : 'hover:bg-hover'}`}
            >
              <span className="truncate">
                <PathText path={nameIn(path)} />
              </span>
              <span className="ms-auto flex shrink-0 text-sm tabular">
                <CommentCount comments={sentOf({ path, old_path: null })} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function StatusBadge({ status }: Pick<ReviewFile, 'status'>) {
  if (status === 'ADDED') return <Badge tone="good">{t('new')}</Badge>
  if (status === 'DELETED') return <Badge tone="bad">{t('deleted')}</Badge>
  return status === 'MOVED' ? <Badge tone="neutral">{t('moved')}</Badge> : null
}
