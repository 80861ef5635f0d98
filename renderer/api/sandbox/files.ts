import { queryOptions } from '@tanstack/react-query'
import * as routes from '../../../server/api/v1/sandbox/files.ts'
import type { Client } from '../../../server/client/client.ts'
import type { Existing } from '../../state/files/upload/send-all.ts'
import { formatBytes } from '../../state/format.ts'
import { keys } from '../query-keys.ts'
import type { Session } from '../session.ts'
import { t } from '../text.ts'
import { sendFile } from './send-file.ts'

const of = (id: string) => ({ params: { conversation_id: id } })

export const fileTextQuery = (client: Client, id: string, path: string) =>
  queryOptions({
    queryKey: keys.fileText(id, path),
    queryFn: ({ signal }) => client.call(routes.getFileText, { ...of(id), query: { path }, signal }),
    staleTime: 0,
    retry: false,
  })

/** What is shown is in memory as a whole. */
const MAX_SHOWN_BYTES = 100_000_000

/** A file that is shown as what it is; one that is too large for that is an error in words. */
export const fileBytesQuery = (client: Client, id: string, path: string) =>
  queryOptions({
    queryKey: keys.fileBytes(id, path),
    queryFn: async ({ signal }) => {
      const response = await client.open(routes.getFileContent, { ...of(id), query: { path }, signal })
      if (Number(response.headers.get('content-length')) <= MAX_SHOWN_BYTES) return response.blob()
      await response.body?.cancel()
      throw new Error(t('tooLargeToShow', { size: formatBytes(MAX_SHOWN_BYTES) }))
    },
    // A document that came anew would begin at its first page.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

const HEAD_BYTES = 2048

/** The first bytes of a file, however large it is. */
export const fileHeadQuery = (client: Client, id: string, path: string) =>
  queryOptions({
    queryKey: keys.fileHead(id, path),
    queryFn: async ({ signal }) => {
      const { body, headers } = await client.open(routes.getFileContent, { ...of(id), query: { path }, signal })
      const reader = body?.getReader()
      let head = new Uint8Array()
      while (reader && head.length < HEAD_BYTES) {
        const { done, value } = await reader.read()
        if (done) break
        head = new Uint8Array([...head, ...value.subarray(0, HEAD_BYTES)])
      }
      await reader?.cancel()
      return { head: head.subarray(0, HEAD_BYTES), size: Number(headers.get('content-length') ?? head.length) }
    },
    staleTime: 0,
    retry: false,
  })

export const trashQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.trash(id),
    queryFn: ({ signal }) => client.call(routes.listTrash, { ...of(id), signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    select: reply => reply.items,
  })

export const foundFilesQuery = (client: Client, id: string, text: string) =>
  queryOptions({
    queryKey: keys.foundFiles(id, text),
    queryFn: ({ signal }) => client.call(routes.findFiles, { ...of(id), query: { text }, signal }),
    enabled: text.trim() !== '',
    staleTime: 0,
  })

const MAX_ENTRIES = 100

/** The first entries of a folder of the sandbox; of the working directory for an empty path. */
export const folderEntriesQuery = (client: Client, id: string, path: string) =>
  queryOptions({
    queryKey: keys.folderEntries(id, path),
    queryFn: ({ signal }) => {
      const query = { ...(path ? { path } : {}), limit: MAX_ENTRIES }
      return client.call(routes.listFolder, { ...of(id), query, signal })
    },
    staleTime: 0,
    retry: false,
  })

/** The acts on files of one conversation. */
export function fileActs(client: Client, id: string) {
  return {
    list: (query: { path?: string; page_id?: string }) => client.call(routes.listFolder, { ...of(id), query }),
    save: (path: string, text: string, version: string | null) =>
      client.call(routes.saveFileText, { ...of(id), body: { path, text, version } }),
    create: (path: string, kind: 'file' | 'directory') =>
      client.call(routes.createFile, { ...of(id), body: { path, kind } }),
    move: (path: string, to: string) => client.call(routes.moveFile, { ...of(id), body: { path, to } }),
    delete: (path: string) => client.call(routes.deleteFile, { ...of(id), query: { path } }),
    restore: (trash_id: string) => client.call(routes.restoreFile, { ...of(id), body: { trash_id } }),
    emptyTrash: () => client.call(routes.emptyTrash, of(id)),
    place: (path: string) => client.call(routes.getFilePlace, { ...of(id), query: { path } }),
    download: (path: string) => client.download(routes.getFileContent, { ...of(id), query: { path } }),
  }
}

interface Upload {
  id: string
  path: string
  existing: Existing
  file: Blob
  signal: AbortSignal
  onProgress: (sent: number) => void
}

/** @returns the path that it has now @throws ApiError */
export async function uploadFile(
  session: Session,
  { id, path, existing, file, signal, onProgress }: Upload,
): Promise<string> {
  const query = new URLSearchParams({ path, existing })
  const place = routes.uploadFileContent.path.replace('{conversation_id}', encodeURIComponent(id))
  const answer = await sendFile(session, { path: `${place}?${query}`, file, name: 'file', signal, onProgress })
  return routes.uploadFileContent.reply.parse(JSON.parse(answer)).path
}
