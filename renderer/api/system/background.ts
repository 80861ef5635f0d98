import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BackgroundChoices, Desktop } from '../../../electron/ipc.ts'
import { keys } from '../query-keys.ts'

/** What the app does beside its windows. Asked for anew each time: a panel of the desktop comes and goes. */
export function useBackground(desktop: Desktop) {
  const queries = useQueryClient()
  const state = useQuery(queryOptions({ queryKey: keys.background, queryFn: () => desktop.background(), staleTime: 0 }))
  const change = useMutation({
    mutationFn: (choices: Partial<BackgroundChoices>) => desktop.changeBackground(choices),
    onSuccess: next => queries.setQueryData(keys.background, next),
  })
  return { state, change }
}
