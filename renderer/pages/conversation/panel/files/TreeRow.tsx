import { ChevronRight, File, FileSymlink, FileTerminal, FileX, Folder, FolderOpen } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { type Row, shownName } from '../../../../state/files/tree.ts'
import { formatBytes } from '../../../../state/format.ts'
import { problemOf } from '../../../../state/notice/problems.ts'
import { PathText } from '../../../../ui/PathText.tsx'
import { t } from './text.ts'

interface Props {
  id: string
  row: Row
  isActive: boolean
  isChanged: boolean
  onChoose: () => void
  onOpen: () => void
  onShown: (folder: string) => void
}

/** One line of the tree. A click chooses and opens it; the keys belong to the tree. */
export function TreeRow({ id, row, isActive, isChanged, onChoose, onOpen, onShown }: Props) {
  const isEntry = row.kind === 'entry'
  const isDim = !isEntry || row.entry.ignored || row.entry.path === null
  // What is beyond the last row that is known is read when it comes into view, which only the page knows.
  const shown = useEffectEvent(() => {
    if (row.kind === 'more') onShown(row.folder)
  })
  useEffect(() => shown(), [])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isActive}
      aria-expanded={isEntry && row.isFolder ? row.isExpanded : undefined}
      title={titleOf(row)}
      onClick={() => {
        onChoose()
        onOpen()
      }}
      onContextMenu={onChoose}
      style={{ paddingInlineStart: 8 + row.depth * 14 }}
      className={`flex h-6 cursor-default items-center gap-1.5 pe-2 hover:bg-hover ${isActive ? 'bg-selected' : ''} ${isDim ? 'text-faint' : ''}`}
    >
      {isEntry ? (
        <Entry row={row} isChanged={isChanged} />
      ) : (
        <span className="truncate ps-4.5 text-sm">{wordsOf(row)}</span>
      )}
    </div>
  )
}

function Entry({ row, isChanged }: { row: Extract<Row, { kind: 'entry' }>; isChanged: boolean }) {
  const { entry, isFolder, isExpanded } = row
  const Icon = iconOf(row)
  return (
    <>
      {isFolder ? (
        <ChevronRight size={12} aria-hidden className={`shrink-0 text-faint ${isExpanded ? 'rotate-90' : ''}`} />
      ) : (
        <span className="w-3 shrink-0" />
      )}
      <Icon size={13} aria-hidden className="shrink-0 text-faint" />
      <span className={`min-w-0 truncate ${isChanged && !entry.ignored ? 'text-accent' : ''}`}>
        <PathText path={entry.name} />
      </span>
      {isChanged && (
        <span
          role="img"
          aria-label={t('changed')}
          title={t('changed')}
          className="size-1.5 shrink-0 rounded-full bg-accent"
        />
      )}
      {entry.size_bytes !== null && (
        <span className="ms-auto shrink-0 ps-2 text-faint text-xs tabular">{formatBytes(entry.size_bytes)}</span>
      )}
    </>
  )
}

function iconOf({ entry, isFolder, isExpanded }: Extract<Row, { kind: 'entry' }>) {
  if (entry.kind === 'link') return FileSymlink
  if (isFolder) return isExpanded ? FolderOpen : Folder
  if (entry.kind === 'other' || entry.path === null) return FileX
  return entry.executable ? FileTerminal : File
}

function titleOf(row: Row): string | undefined {
  if (row.kind !== 'entry') return undefined
  const { entry } = row
  if (entry.path === null) return t('nameNotText')
  if (entry.kind === 'other') return t('special')
  if (entry.link?.kind === 'missing') return t('leadsNowhere')
  if (entry.link) return t('leadsTo', { target: shownName(entry.link.path ?? '?') })
  return shownName(entry.name)
}

function wordsOf(row: Exclude<Row, { kind: 'entry' }>): string {
  if (row.kind === 'more') return t('moreEntries', { left: row.left })
  if (row.kind === 'loading') return t('loading')
  if (row.kind === 'failed') return `${problemOf(row.problem).what} ${t('retry')}`
  return t('emptyFolder')
}
