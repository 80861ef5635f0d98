import { useCallback, useSyncExternalStore } from 'react'

/** The time, moving on every `interval` ms while something shows it. */
export function useNow(interval: number): number {
  const subscribe = useCallback(
    (changed: () => void) => {
      const timer = setInterval(changed, interval)
      return () => clearInterval(timer)
    },
    [interval],
  )
  const now = () => Math.floor(Date.now() / interval) * interval
  return useSyncExternalStore(subscribe, now, now)
}
