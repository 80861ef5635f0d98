import { useSyncExternalStore } from 'react'

/** The time, moving on every `interval` ms while something shows it. */
export function useNow(interval: number): number {
  return useSyncExternalStore(
    changed => {
      const timer = setInterval(changed, interval)
      return () => clearInterval(timer)
    },
    () => Math.floor(Date.now() / interval) * interval,
  )
}
