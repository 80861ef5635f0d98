import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RouteReply } from '../../../server/api/contract/route.ts'
import { downloadSpec, getSpecExport, importSpec } from '../../../server/api/v1/sandbox/spec-files.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'
import { useClient, useSession } from '../session.ts'
import { t } from '../text.ts'
import { sendFile } from './send-file.ts'
import { type Transfer, wholeOf } from './whole-file.ts'

/** What the file of a spec would hold. */
export const specExportQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.specExport(id),
    queryFn: ({ signal }) => client.call(getSpecExport, { params: { spec_id: id }, signal }),
    staleTime: 0,
    retry: false,
  })

export function useExportSpec(id: string) {
  const client = useClient()
  return useMutation({
    mutationFn: async ({ signal, onProgress }: Transfer) => {
      const { body } = await client.open(downloadSpec, { params: { spec_id: id }, signal })
      return wholeOf(body, onProgress, 'application/x-tar').catch(cause => {
        if (signal.aborted) throw cause
        throw new Error(t('exportBrokeOff'), { cause })
      })
    },
  })
}

export type ImportedSpec = RouteReply<typeof importSpec>

export function useImportSpec() {
  const session = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, ...transfer }: Transfer & { file: File }): Promise<ImportedSpec> => {
      const sent = { path: importSpec.path, file, name: file.name, ...transfer }
      return importSpec.reply.parse(JSON.parse(await sendFile(session, sent)))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.specs }),
  })
}
