import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RouteBodyInput } from '../../server/api/contract/route.ts'
import { type SettingsPatch, storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { recheckSystem, type SystemStatus, testModel, unlockKeychain } from '../../server/api/v1/system/system.ts'
import { systemQuery } from './queries.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

export type ModelQuestion = RouteBodyInput<typeof testModel>

/** Saves the given fields and no other. */
export function useSaveSettings() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (patch: SettingsPatch) => client.call(storeSettingsV1, { body: patch }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: keys.specs })
      return queryClient.invalidateQueries({ queryKey: keys.settings })
    },
  })
}

/** Asks the model one short question; absent fields are taken from what is stored. */
export function useTestModel() {
  const client = useClient()
  return useMutation({ mutationFn: (question: ModelQuestion) => client.call(testModel, { body: question }) })
}

/** Whether keys are lost when Atelier quits, because no keychain takes them. */
export function useKeysInMemory(): boolean {
  const { data: system } = useQuery(systemQuery(useClient()))
  return system?.keychain.storage === 'session-only'
}

/** Looks for the engine and the keychain now. */
export function useRecheck() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(recheckSystem),
    onSuccess: system => learn(queryClient, system),
  })
}

/** The desktop asks for the keychain's password; this waits for the answer. */
export function useUnlockKeychain() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(unlockKeychain),
    onSuccess: system => learn(queryClient, system),
  })
}

/** Which keys are set is known only while the keychain is open. */
function learn(queryClient: QueryClient, system: SystemStatus) {
  queryClient.setQueryData(keys.system, system)
  return queryClient.invalidateQueries({ queryKey: keys.settings })
}
