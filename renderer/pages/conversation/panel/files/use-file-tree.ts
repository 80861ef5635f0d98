import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { keys } from '../../../../api/query-keys.ts'
import { fileActs } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { EMPTY_TREE, openFolders, type Tree, withExpanded, withFolder } from '../../../../state/files/tree.ts'
import { useOpenConversation, useSnapshot } from '../../context.ts'

export interface FileTree {
  readonly tree: Tree
  toggle(path: string, isExpanded: boolean): void
  loadMore(path: string): void
  /** Reads all that shows again. */
  refresh(): void
}

const REFRESH_MS = 800

/** The folders that are open, read when they are opened, and again when the agent has done something. */
export function useFileTree(): FileTree {
  const { id, status } = useOpenConversation()
  const last = useSnapshot(({ conversation }) => conversation.events.at(-1)?.seq ?? -1)
  const client = useClient()
  const acts = useMemo(() => fileActs(client, id), [client, id])
  const queries = useQueryClient()
  const kept = keys.fileTree(id)
  // What is open stays so while another tab shows.
  const [tree, setTree] = useState(() => queries.getQueryData<Tree>(kept) ?? EMPTY_TREE)
  const current = useRef(tree)
  const asked = useRef(new Map<string, number>())

  function change(next: (tree: Tree) => Tree) {
    current.current = next(current.current)
    queries.setQueryDefaults(kept, { gcTime: Number.POSITIVE_INFINITY })
    queries.setQueryData(kept, current.current)
    setTree(current.current)
  }

  /** Reads a folder from its beginning, at least as far as it was read; the last one that asks wins. */
  async function read(path: string | null) {
    const turn = (asked.current.get(path ?? '') ?? 0) + 1
    asked.current.set(path ?? '', turn)
    const isLast = () => asked.current.get(path ?? '') === turn
    const wanted = path === null ? 0 : (current.current.folders.get(path)?.entries.length ?? 0)
    if (path !== null) change(known => withFolder(known, path, { state: 'loading' }))
    try {
      let page = await acts.list(path === null ? {} : { path })
      const entries = [...page.items]
      while (entries.length < wanted && page.next_page_id !== null && isLast()) {
        page = await acts.list({ path: page.path, page_id: page.next_page_id })
        entries.push(...page.items)
      }
      if (!isLast()) return
      const folder = { entries, next: page.next_page_id, total: page.total, state: 'ready' as const, problem: null }
      change(known => withFolder({ ...known, root: known.root ?? page.path }, page.path, folder))
    } catch (problem) {
      // What is not known yet has no name that it could stand under.
      const name = path ?? current.current.root ?? '.'
      if (isLast())
        change(known => withFolder({ ...known, root: known.root ?? name }, name, { state: 'failed', problem }))
    }
  }

  async function loadMore(path: string) {
    const folder = current.current.folders.get(path)
    if (!folder?.next || folder.state === 'loading') return
    change(known => withFolder(known, path, { state: 'loading' }))
    try {
      const page = await acts.list({ path, page_id: folder.next })
      const entries = [...folder.entries, ...page.items]
      change(known => withFolder(known, path, { entries, next: page.next_page_id, total: page.total, state: 'ready' }))
    } catch (problem) {
      change(known => withFolder(known, path, { state: 'failed', problem }))
    }
  }

  function refresh() {
    const folders = openFolders(current.current)
    if (folders.length === 0 || folders[0] === '.') {
      current.current = EMPTY_TREE
      void read(null)
    } else for (const path of folders) void read(path)
  }

  // The sandbox is another system: what has happened in it is known by the events of the conversation.
  const onEvents = useEffectEvent(refresh)
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say that files may be others
  useEffect(() => {
    const timer = setTimeout(onEvents, current.current.root === null ? 0 : REFRESH_MS)
    return () => clearTimeout(timer)
  }, [last, status])

  return {
    tree,
    refresh,
    loadMore: path => void loadMore(path),
    toggle: (path, isExpanded) => {
      change(known => withExpanded(known, path, isExpanded))
      if (isExpanded) void read(path)
    },
  }
}
