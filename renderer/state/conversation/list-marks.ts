import { useSyncExternalStore } from 'react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { preferenceKey } from '../settings/preference.ts'

/** What a person has seen of the conversations; kept in this window's storage, as it says nothing to anybody else. */
export interface ListMarks {
  /** When each conversation was last looked at; '' for one that is to be looked at again. */
  readonly seen: Readonly<Record<string, string>>
  /** What is older counts as seen. */
  readonly since: string
}

const KEY = preferenceKey('conversation-list')
const MAX_KEPT = 2_000

/** Whether something has come to rest in it that its person has not seen. */
export function isUnread(
  { id, updated_at, execution_status }: Pick<AppConversation, 'id' | 'updated_at' | 'execution_status'>,
  { seen, since }: Pick<ListMarks, 'seen' | 'since'>,
): boolean {
  if (execution_status === 'running') return false
  const last = seen[id] ?? since
  return last === '' || Date.parse(updated_at) > Date.parse(last)
}

/** @param time of its last change, or '' for one that is to be looked at again */
export function seenAt(marks: ListMarks, id: string, time: string): ListMarks {
  if (marks.seen[id] === time) return marks
  const { [id]: _, ...others } = marks.seen
  return { ...marks, seen: Object.fromEntries([...Object.entries(others).slice(1 - MAX_KEPT), [id, time]]) }
}

/** What was stored by whatever version; anything else is as good as nothing. */
export function parseMarks(text: string | null, now: string): ListMarks {
  const none: ListMarks = { seen: {}, since: now }
  try {
    const { seen, since } = JSON.parse(text ?? '{}')
    return {
      seen:
        typeof seen === 'object' && seen !== null
          ? Object.fromEntries(Object.entries(seen).filter((entry): entry is [string, string] => isText(entry[1])))
          : none.seen,
      since: isText(since) && !Number.isNaN(Date.parse(since)) ? since : none.since,
    }
  } catch {
    return none
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

let current: ListMarks | undefined
const listeners = new Set<() => void>()

/** As they are now. */
function readMarks(): ListMarks {
  if (current) return current
  const stored = localStorage.getItem(KEY)
  current = parseMarks(stored, new Date().toISOString())
  // From now on what comes is new.
  if (stored === null) localStorage.setItem(KEY, JSON.stringify(current))
  return current
}

/** Changes the marks wherever they are shown. */
export function changeMarks(change: (marks: ListMarks) => ListMarks): void {
  // Another tab may have changed them.
  current = undefined
  const before = readMarks()
  current = change(before)
  if (current === before) return
  localStorage.setItem(KEY, JSON.stringify(current))
  for (const listener of listeners) listener()
}

export function useListMarks(): ListMarks {
  return useSyncExternalStore(subscribe, readMarks)
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== KEY) return
    current = undefined
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}
