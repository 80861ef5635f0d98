import { useSyncExternalStore } from 'react'
import { preferenceKey } from '../settings/preference.ts'

const KEY = preferenceKey('leaving')
/** So much later another window does what the one that was asked has not done, as it was closed or loaded again. */
const LATER_MS = 1_000

/**
 * Conversations that are out of sight, and when each is deleted unless that is taken back, in milliseconds since 1970. All
 * windows share it, and it outlasts them.
 */
type Leaving = Readonly<Record<string, number>>

let text: string | null = null
let leaving: Leaving = {}
let ids: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function read(): Leaving {
  const stored = localStorage.getItem(KEY)
  if (stored === text) return leaving
  text = stored
  leaving = parse(stored)
  ids = new Set(Object.keys(leaving))
  return leaving
}

/** What was stored by whatever version; anything else is as good as nothing. */
function parse(stored: string | null): Leaving {
  try {
    const found: unknown = JSON.parse(stored ?? '{}')
    const entries = typeof found === 'object' && found !== null ? Object.entries(found) : []
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return {}
  }
}

function change(changed: readonly string[], due: number | null): void {
  const others = Object.entries(read()).filter(([id]) => !changed.includes(id))
  const added = due === null ? [] : changed.map(id => [id, due] as const)
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others, ...added])))
  for (const listener of listeners) listener()
}

type Act = (ids: readonly string[]) => Promise<unknown>

/** Hides them now and has them deleted later, which tells itself of a failure. @returns how to take it back */
export function deleteLater(chosen: readonly string[], act: Act, delayMs: number): () => void {
  change(chosen, Date.now() + delayMs)
  const timer = setTimeout(() => void end(chosen, act), delayMs)
  return () => {
    clearTimeout(timer)
    change(chosen, null)
  }
}

/** Does in time what windows were asked for that are not there any more. @returns what ends that */
export function deleteLeftOver(act: Act): () => void {
  const timers = Object.entries(read()).map(([id, due]) =>
    setTimeout(
      () => {
        if (read()[id] === due) void end([id], act)
      },
      due - Date.now() + LATER_MS,
    ),
  )
  return () => timers.forEach(clearTimeout)
}

async function end(chosen: readonly string[], act: Act): Promise<void> {
  await act(chosen).catch(() => {})
  change(chosen, null)
}

/** Ids of what is out of sight. */
export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => {
    read()
    return ids
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
