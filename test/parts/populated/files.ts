import { uploadAttachment } from '../../../server/api/v1/conversation/attachments.ts'
import { createFile, deleteFile } from '../../../server/api/v1/sandbox/files.ts'
import { randomToken } from '../../../server/domain/ids.ts'
import type { TestService } from '../service/service.ts'

type Resolve = (name: string) => Promise<string>

/** A file that waits for a conversation. Files of one, outside of its repository: one that is not there yet, one that is there, one that was deleted, and one whose place is taken since. */
export function fileThings(around: () => { service: TestService }, resolve: Resolve) {
  const made = async () => {
    const path = `/tmp/made-${randomToken(6)}`
    const params = { conversation_id: await resolve('conversation') }
    await around().service.client.call(createFile, { params, body: { path, kind: 'file' } })
    return { params, path }
  }
  const deleted = async () => {
    const { params, path } = await made()
    const { trash_id } = await around().service.client.call(deleteFile, { params, query: { path } })
    return { params, path, trash_id }
  }
  return {
    attachment: async () => {
      const form = new FormData()
      form.set('file', new Blob(['a,b']), 'a.csv')
      return (await around().service.client.call(uploadAttachment, { form })).id
    },
    newPath: async () => `/tmp/new-${randomToken(6)}`,
    createdFile: async () => (await made()).path,
    deletedFile: async () => (await deleted()).trash_id,
    replacedFile: async () => {
      const { params, path, trash_id } = await deleted()
      await around().service.client.call(createFile, { params, body: { path, kind: 'directory' } })
      return trash_id
    },
  }
}
