import { uploadAttachment } from '../../../server/api/v1/conversation/attachments.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { createFile, deleteFile } from '../../../server/api/v1/sandbox/files.ts'
import { randomToken } from '../../../server/domain/ids.ts'
import { said } from '../client/conversation.ts'
import type { Around } from './things.ts'

type Resolve = (name: string) => Promise<string>

/** A file that waits for a conversation, and one with which one is starting. Files of one, outside of its repository: one that is not there yet, one that is there, one that was deleted, and one whose place is taken since. */
export function fileThings(around: () => Around, resolve: Resolve) {
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
  const attachment = async () => {
    const form = new FormData()
    form.set('file', new Blob(['a,b']), 'a.csv')
    return (await around().service.client.call(uploadAttachment, { form })).id
  }
  return {
    attachment,
    startingAttachment: async () => {
      const { service, sandboxId: sandbox_id, places } = around()
      const selected_repository = `${places.silent}/nobody/answers.git`
      const attachments = [{ id: await attachment(), name: 'a.csv' }]
      const body = { sandbox_id, selected_repository, initial_message: said('Read it'), attachments }
      await service.client.call(createAppConversation, { body })
      return attachments[0]?.id ?? ''
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
