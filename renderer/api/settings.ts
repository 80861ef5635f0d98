import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RouteBodyInput } from '../../server/api/route.ts'
import { type SettingsPatch, storeSettings } from '../../server/api/settings.ts'
import { recheckSystem, testModel } from '../../server/api/system.ts'
import { keys } from './queries.ts'
import { useClient } from './session.ts'

export type ModelQuestion = RouteBodyInput<typeof testModel>

/** Saves the given fields and no other. */
export function useSaveSettings() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (patch: SettingsPatch) => client.call(storeSettings, { body: patch }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.settings }),
        queryClient.invalidateQueries({ queryKey: keys.specs }),
      ]),
  })
}

/** Asks the model one short question; absent fields are taken from what is stored. */
export function useTestModel() {
  const client = useClient()
  return useMutation({ mutationFn: (question: ModelQuestion) => client.call(testModel, { body: question }) })
}

/** Looks for the engine and the keychain now. */
export function useRecheck() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(recheckSystem),
    onSuccess: system => queryClient.setQueryData(keys.system, system),
  })
}
