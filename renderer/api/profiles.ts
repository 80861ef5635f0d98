import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  activateLlmProfileV1,
  deleteLlmProfileV1,
  renameLlmProfileV1,
  saveLlmProfileV1,
} from '../../server/api/v1/settings/llm-profiles.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

/** The model of the settings, with its key, under this name; one of that name is replaced. */
export function useSaveProfile() {
  return useProfileAct((client, name: string) => client.call(saveLlmProfileV1, { params: { name }, body: {} }))
}

export function useRenameProfile(name: string) {
  return useProfileAct((client, new_name: string) =>
    client.call(renameLlmProfileV1, { params: { name }, body: { new_name } }),
  )
}

export function useActivateProfile() {
  return useProfileAct((client, name: string) => client.call(activateLlmProfileV1, { params: { name } }))
}

export function useDeleteProfile() {
  return useProfileAct((client, name: string) => client.call(deleteLlmProfileV1, { params: { name } }))
}

function useProfileAct(act: (client: Client, name: string) => Promise<unknown>) {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => act(client, name),
    onSettled: () =>
      Promise.all([keys.profiles, keys.settings].map(queryKey => queryClient.invalidateQueries({ queryKey }))),
  })
}
