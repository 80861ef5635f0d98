import { useCallback, useEffect, useState } from 'react'

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

/** The same, where what is stored elsewhere is to be seen here too: in another window, or by a page of this one that has been left. */
export function useSharedPreference(name: string, initial: string) {
  const [value, take] = usePreference(name, initial)
  const key = preferenceKey(name)
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === key) take(event.newValue ?? initial)
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [key, initial, take])
  const store = useCallback(
    (newValue: string) => {
      take(newValue)
      // The browser says it to other windows alone.
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
    },
    [key, take],
  )
  /** At the moment of the call, which after a wait is not what was drawn. */
  const current = () => localStorage.getItem(key) ?? initial
  return [value, store, current] as const
}
