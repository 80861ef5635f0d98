import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RouteReply } from '../../../server/api/contract/route.ts'
import { downloadSpec, getSpecExport, importSpec } from '../../../server/api/v1/sandbox/spec-files.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'
import { useClient, useSession } from '../session.ts'
import { t } from '../text.ts'
import { sendFile } from './send-file.ts'

/** What the file of a spec would hold. */
export const specExportQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.specExport(id),
    queryFn: ({ signal }) => client.call(getSpecExport, { params: { spec_id: id }, signal }),
    staleTime: 0,
    retry: false,
  })

export interface Transfer {
  signal: AbortSignal
  onProgress: (bytes: number) => void
}

/** So much is on its way at a time; what came before is the browser's, which keeps it on its disk where it is long. */
const PART_BYTES = 16 * 2 ** 20

export function useExportSpec(id: string) {
  const client = useClient()
  return useMutation({
    mutationFn: async ({ signal, onProgress }: Transfer) => {
      const { body } = await client.open(downloadSpec, { params: { spec_id: id }, signal })
      return wholeOf(body, onProgress).catch(cause => {
        if (signal.aborted) throw cause
        throw new Error(t('exportBrokeOff'), { cause })
      })
    },
  })
}

async function wholeOf(body: Response['body'], onProgress: Transfer['onProgress']): Promise<Blob> {
  const reader = body?.getReader()
  const whole: Blob[] = []
  let part: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let partBytes = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    part.push(new Uint8Array(next.value))
    partBytes += next.value.length
    bytes += next.value.length
    onProgress(bytes)
    if (partBytes < PART_BYTES) continue
    whole.push(new Blob(part))
    part = []
    partBytes = 0
  }
  return new Blob([...whole, ...part], { type: 'application/x-tar' })
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
