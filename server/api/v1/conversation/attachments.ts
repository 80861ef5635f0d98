import { z } from 'zod'
import { success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'

const tag = 'App conversations'

/** File systems of Linux take 255; a number may be added. */
const MAX_NAME_BYTES = 245
const isFileName = (name: string) => !/[/\0]/.test(name) && name !== '.' && name !== '..'

const id = z.string().max(100)

/** A file that goes with a first message, under the name that it gets in the sandbox. */
export const attachment = z.object({
  id: id.describe('Id of a file that was sent beforehand, as `POST /api/v1/attachments` gave it.'),
  name: z
    .string()
    .min(1)
    .max(255)
    .refine(isFileName, 'must be the name of a file, without a folder')
    .refine(
      name => new TextEncoder().encode(name).length <= MAX_NAME_BYTES,
      `must have at most ${MAX_NAME_BYTES} bytes`,
    )
    .describe('Name that it gets; a number is added where another file has it.'),
})
export type Attachment = z.output<typeof attachment>

export const uploadAttachment = route({
  method: 'post',
  path: '/api/v1/attachments',
  summary: 'Send a file that goes with a first message',
  description:
    'Keeps a file of at most 100 MB, from a form with one file, until a conversation begins with it as one of its `attachments`. It is kept for a day: longer only in the sandbox of a conversation.',
  tag,
  failures: ['bad_request'],
  reply: z.object({
    id: id.describe('Id of the file.'),
    size_bytes: z.int().describe('Its size.'),
  }),
})

export const deleteAttachment = route({
  method: 'delete',
  path: '/api/v1/attachments/{attachment_id}',
  summary: 'Delete a file that no conversation has begun with',
  description: 'Deletes a file that waits for a conversation. 409 while a conversation is starting with it.',
  tag,
  params: z.object({ attachment_id: id.describe('Id of the file.') }),
  failures: ['not_found', 'conflict'],
  reply: success,
})
