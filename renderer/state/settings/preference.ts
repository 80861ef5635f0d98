import { useCallback, useState } from 'react'

export function preferenceKey(name: string): string {
  return `atelier.${name}`
}

/** A preference of this window (a fold, a width, a draft), kept in the given storage. Never for anything secret. */
export function usePreference(name: string, initial: string, storage: Storage = localStorage) {
  const key = preferenceKey(name)
  const [value, setValue] = useState(() => storage.getItem(key) ?? initial)
  const store = useCallback(
    (next: string) => {
      storage.setItem(key, next)
      setValue(next)
    },
    [key, storage],
  )
  return [value, store] as const
}
