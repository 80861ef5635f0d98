import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getEngineStorage } from '../../server/api/v1/sandbox/engine-storage.ts'
import { listRemovable } from '../../server/api/v1/sandbox/removable.ts'
import { previewRetention, type RetentionRules } from '../../server/api/v1/system/retention.ts'
import {
  type Backup,
  deleteBackup,
  ERASE_CONFIRMATION,
  eraseStorage,
  getStorage,
  makeBackup,
  restoreBackup,
  type StorageStatus,
} from '../../server/api/v1/system/storage.ts'
import { ApiError } from '../../server/client/api-error.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'
import { t } from './text.ts'

/** The database, its backups, and what became of it at the last start that changed it. */
export const storageQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.storage,
    queryFn: ({ signal }) => client.call(getStorage, { signal }),
  })

/** The engine adds it up each time, which takes a while. */
export const engineStorageQuery = (client: Client, engine_id: string) =>
  queryOptions({
    queryKey: keys.engineStorage(engine_id),
    queryFn: ({ signal }) => client.call(getEngineStorage, { query: { engine_id }, signal }),
    staleTime: 60_000,
  })

const MEASURE_EVERY_MS = 5 * 60_000

/** Bytes of each of these sandboxes of one engine. It is measured again once there are others. */
export const sandboxSizesQuery = (client: Client, engine_id: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: keys.sandboxSizes(engine_id, ids),
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const { sandboxes } = await client.call(getEngineStorage, { query: { engine_id }, signal })
      return new Map(sandboxes.map(({ sandbox_id, bytes }) => [sandbox_id, bytes]))
    },
    staleTime: 60_000,
    refetchInterval: MEASURE_EVERY_MS,
    placeholderData: keepPreviousData,
  })

/** What the rules would do now. */
export const retentionQuery = (client: Client, rules: RetentionRules) =>
  queryOptions({
    queryKey: keys.retention(rules),
    queryFn: ({ signal }) => client.call(previewRetention, { query: rules, signal }),
    staleTime: 0,
  })

export function useMakeBackup() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(makeBackup),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.storage }),
  })
}

export function useDeleteBackup() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => client.call(deleteBackup, { params: { name } }),
    onSuccess: storage => queryClient.setQueryData(keys.storage, storage),
  })
}

/** Resolves when the service has opened the database that was in the backup; then everything is read anew. */
export function useRestoreBackup() {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ name }: Pick<Backup, 'name'>) => {
      const before = await client.call(getStorage)
      await client.call(restoreBackup, { params: { name } })
      return reopened(client, now => now.notice?.at !== before.notice?.at)
    },
    onSettled: () => queryClient.invalidateQueries(),
  })
}

/** Resolves when everything is deleted, and the service is there as on its first day; not where the app starts again for it. */
export function useEraseStorage() {
  const client = useClient()
  return useMutation({
    mutationFn: async () => {
      const before = await client.call(getStorage)
      await client.call(eraseStorage, { body: { confirmation: ERASE_CONFIRMATION } })
      await reopened(client, now => now.opened_at !== before.opened_at, ERASE_TIMEOUT_MS)
      if (await window.atelier?.beginAnew()) await new Promise(() => {})
    },
  })
}

/** What can go from the engine's disk, which it adds up each time. */
export const removableQuery = (client: Client, engine_id: string) =>
  queryOptions({
    queryKey: keys.removable(engine_id),
    queryFn: async ({ signal }) => (await client.call(listRemovable, { query: { engine_id }, signal })).items,
    staleTime: 60_000,
  })

const ASK_AGAIN_MS = 250
const TIMEOUT_MS = 60_000
/** An engine may have many sandboxes to remove. */
const ERASE_TIMEOUT_MS = 180_000

/**
 * The storage once the service, which closes and opens again, answers as it is to. Nobody tells when it is back.
 * @throws ApiError unreachable when that takes too long
 */
export async function reopened(
  client: Client,
  isThere: (now: StorageStatus) => boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<StorageStatus> {
  for (let waited = 0; waited < timeoutMs; waited += ASK_AGAIN_MS) {
    const now = await client.call(getStorage).catch(unlessGone)
    if (now && isThere(now)) return now
    await new Promise(resolve => setTimeout(resolve, ASK_AGAIN_MS))
  }
  throw new ApiError({
    status: 0,
    code: 'unreachable',
    message: t('serviceHasNotComeBack'),
  })
}

function unlessGone(error: unknown): null {
  if (error instanceof ApiError && (error.code === 'unreachable' || error.status >= 502)) return null
  throw error
}
