import { useSyncExternalStore } from 'react'

/** Conversations that are out of sight, and deleted unless that is taken back. A window that is closed before has not deleted them. */
let leaving: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function change(ids: readonly string[], isLeaving: boolean): void {
  const next = new Set(leaving)
  for (const id of ids) {
    if (isLeaving) next.add(id)
    else next.delete(id)
  }
  leaving = next
  for (const listener of listeners) listener()
}

/** Hides them now and has them deleted later, which tells itself of a failure. @returns how to take it back */
export function deleteLater(ids: readonly string[], act: () => Promise<unknown>, delayMs: number): () => void {
  change(ids, true)
  const end = () => change(ids, false)
  const timer = setTimeout(() => void act().then(end, end), delayMs)
  return () => {
    clearTimeout(timer)
    change(ids, false)
  }
}

export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => leaving)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
