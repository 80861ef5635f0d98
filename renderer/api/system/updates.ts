import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { UpdateAction, Updates } from '../../../electron/ipc.ts'
import { notifyError } from '../../ui/overlay/toast.ts'
import { keys } from '../query-keys.ts'

/** How the updates of the desktop app stand, as they change; undefined in a browser, and until it is known. */
export function useUpdates(): Updates | undefined {
  const queries = useQueryClient()
  useEffect(() => window.atelier?.onUpdates(updates => queries.setQueryData(keys.desktopUpdates, updates)), [queries])
  const { data } = useQuery({
    queryKey: keys.desktopUpdates,
    queryFn: async () => (await window.atelier?.updates()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? undefined
}

export function changeUpdates(action: UpdateAction): void {
  window.atelier?.changeUpdates(action).catch(notifyError)
}
