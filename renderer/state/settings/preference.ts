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

/** The same, where what another window stores is to be seen here too. */
export function useSharedPreference(name: string, initial: string) {
  const [value, store] = usePreference(name, initial)
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === preferenceKey(name)) store(newValue ?? initial)
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [name, initial, store])
  return [value, store] as const
}
