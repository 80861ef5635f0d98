import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type DiagnosisCheck, diagnoseModel, runCheck } from '../../../server/api/v1/system/diagnosis.ts'
import { DEFAULT_ENGINE } from '../../../server/api/v1/system/engines.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'
import { useClient } from '../session.ts'

/** Runs when it is asked for, and not again by itself: what it says is of the moment at which a person asked. */
export const checkQuery = (client: Client, check: DiagnosisCheck, engineId: string) =>
  queryOptions({
    queryKey: keys.diagnosis(check, engineId),
    queryFn: ({ signal }) => client.call(runCheck, { params: { check }, query: { engine_id: engineId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Asks the model, which costs something. Its answer takes the place of what the check found. */
export function useModelQuestions() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (signal: AbortSignal) => client.call(diagnoseModel, { signal }),
    onSuccess: found => queryClient.setQueryData(keys.diagnosis('model', DEFAULT_ENGINE), found),
  })
}
