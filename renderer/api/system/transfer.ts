import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type DataExport,
  deleteDataExport,
  downloadDataExport,
  getDataExport,
  startDataExport,
} from '../../../server/api/v1/transfer/exports.ts'
import {
  type DataImport,
  dataImport,
  deleteDataImport,
  getDataImport,
  lookIntoOpenHands,
  startDataImport,
  uploadDataImport,
} from '../../../server/api/v1/transfer/imports.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'
import { sendFile } from '../sandbox/send-file.ts'
import { type Transfer, wholeOf } from '../sandbox/whole-file.ts'
import { useClient, useSession } from '../session.ts'

const ASK_AGAIN_MS = 400

/** Asked until it has ended. */
export const exportQuery = (client: Client, export_id: string) =>
  queryOptions({
    queryKey: keys.dataExport(export_id),
    queryFn: ({ signal }) => client.call(getDataExport, { params: { export_id }, signal }),
    refetchInterval: ({ state }) => (!state.data || state.data.state === 'writing' ? ASK_AGAIN_MS : false),
    retry: false,
  })

export const importQuery = (client: Client, import_id: string) =>
  queryOptions({
    queryKey: keys.dataImport(import_id),
    queryFn: ({ signal }) => client.call(getDataImport, { params: { import_id }, signal }),
    refetchInterval: ({ state }) =>
      !state.data || state.data.state === 'checking' || state.data.state === 'importing' ? ASK_AGAIN_MS : false,
    retry: false,
  })

export function useStartExport() {
  const client = useClient()
  return useMutation({
    mutationFn: (body: { passphrase: string | null; working_folders: boolean }): Promise<DataExport> =>
      client.call(startDataExport, { body }),
  })
}

export function useFetchExport() {
  const client = useClient()
  return useMutation({
    mutationFn: async ({ export_id, signal, onProgress }: Transfer & { export_id: string }) => {
      const { body } = await client.open(downloadDataExport, { params: { export_id }, signal })
      return wholeOf(body, onProgress, 'application/zip')
    },
  })
}

/** It may have ended by itself. */
export function useForgetExport() {
  const client = useClient()
  return (export_id: string) => void client.call(deleteDataExport, { params: { export_id } }).catch(() => {})
}

export function useSendImport() {
  const session = useSession()
  return useMutation({
    mutationFn: async ({ file, ...transfer }: Transfer & { file: File }): Promise<DataImport> => {
      const sent = { path: uploadDataImport.path, file, name: file.name, ...transfer }
      return dataImport.parse(JSON.parse(await sendFile(session, sent)))
    },
  })
}

/** @param folder null is the one that OpenHands keeps in the home folder */
export function useLookIntoOpenHands() {
  const client = useClient()
  return useMutation({
    mutationFn: (folder: string | null) => client.call(lookIntoOpenHands, { body: folder === null ? {} : { folder } }),
  })
}

export function useStartImport(import_id: string) {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { settings: boolean; secrets: boolean; passphrase: string | null }) =>
      client.call(startDataImport, { params: { import_id }, body }),
    onSuccess: begun => queryClient.setQueryData(keys.dataImport(import_id), begun),
  })
}

/** What is whole of it stays. */
export function useGiveUpImport(import_id: string) {
  const client = useClient()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(deleteDataImport, { params: { import_id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.dataImport(import_id) }),
  })
}

/** After an import. */
export function useReadEverything() {
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries()
}
