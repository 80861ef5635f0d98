import { ContextMenu } from '@base-ui/react/context-menu'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { type Move, moved, parentOf, type Row, typedAhead } from '../../../../state/files/tree.ts'
import { readingStep } from '../../../../state/reading-step.ts'
import { useOpenConversation } from '../../context.ts'
import { FileMenu } from './FileMenu.tsx'
import type { Naming } from './NameDialog.tsx'
import { TreeRow } from './TreeRow.tsx'
import { t } from './text.ts'
import { useFileActs } from './use-file-acts.ts'
import type { FileTree as Files } from './use-file-tree.ts'

const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'home',
  End: 'end',
  PageUp: 'page-up',
  PageDown: 'page-down',
}
/** Letters that come later begin a new word. */
const TYPING_MS = 700

interface Props {
  files: Files
  rows: readonly Row[]
  /** Paths of files that the conversation changed, with their folders. */
  changed: ReadonlySet<string>
  onActive: (row: Row) => void
  onName: (naming: Naming) => void
}

/** Only the rows near the window are in the page; the tree has the focus, and says which row is meant. */
export function FileTree({ files, rows, changed, onActive, onName }: Props) {
  const { ask } = useOpenConversation()
  const acts = useFileActs(files.refresh)
  const list = useRef<VirtuosoHandle>(null)
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const typing = useRef({ text: '', at: 0 })
  const prefix = useId()
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  )
  const active = rows[at]

  function go(index: number) {
    const row = rows[index]
    if (!row) return
    setActiveKey(row.key)
    onActive(row)
    list.current?.scrollIntoView({ index })
  }
  function open(row: Row) {
    if (row.kind === 'more') return files.loadMore(row.folder)
    if (row.kind === 'failed') return files.refresh()
    if (row.kind !== 'entry' || row.entry.path === null) return
    if (row.isFolder) files.toggle(row.entry.path, !row.isExpanded)
    else if (row.entry.kind === 'file' || row.entry.link?.kind === 'file') ask({ file: row.entry.path })
  }
  function sideways(row: Row, isInward: boolean) {
    if (row.kind !== 'entry' || row.entry.path === null) return
    if (row.isFolder && row.isExpanded !== isInward) files.toggle(row.entry.path, isInward)
    else if (isInward) go(at + 1)
    else
      go(
        Math.max(
          0,
          rows.findIndex(each => each.kind === 'entry' && each.entry.path === parentOf(row.entry.path ?? '')),
        ),
      )
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key } = event
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return
    const move = MOVES[key]
    const step = readingStep(key)
    const path = active.kind === 'entry' ? active.entry.path : null
    if (move) go(moved(rows.length, at, move))
    else if (step) sideways(active, step === 1)
    else if (key === 'Enter' || key === ' ') open(active)
    else if (key === 'F2' && path !== null) onName({ kind: 'rename', path })
    else if (key === 'Delete' && path !== null) acts.remove(path)
    else if (key.length === 1) {
      const isNew = event.timeStamp - typing.current.at > TYPING_MS
      typing.current = { text: isNew ? key : typing.current.text + key, at: event.timeStamp }
      const found = typedAhead(rows, at, typing.current.text)
      if (found !== -1) go(found)
    } else return
    event.preventDefault()
  }
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger render={<div className="min-h-0 flex-1" />}>
        <Virtuoso
          ref={list}
          className="h-full"
          role="tree"
          tabIndex={0}
          aria-label={t('filesOfSandbox')}
          aria-activedescendant={active ? `${prefix}${at}` : undefined}
          onKeyDown={onKeyDown}
          data={rows}
          computeItemKey={(_, { key }) => key}
          itemContent={(index, row) => (
            <TreeRow
              id={`${prefix}${index}`}
              row={row}
              isActive={index === at}
              isChanged={row.kind === 'entry' && row.entry.path !== null && changed.has(row.entry.path)}
              onChoose={() => go(index)}
              onOpen={() => open(row)}
              onShown={files.loadMore}
            />
          )}
        />
      </ContextMenu.Trigger>
      <FileMenu row={active} onOpen={open} onName={onName} acts={acts} />
    </ContextMenu.Root>
  )
}
