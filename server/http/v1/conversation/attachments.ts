import type { Express } from 'express'
import * as routes from '../../../api/v1/conversation/attachments.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'
import { mountUpload } from '../../mount/stream.ts'

/** Files that wait for a conversation to begin with them. */
export function mountAttachments(app: Express, { attachments }: Pick<Services, 'attachments'>): void {
  mountUpload(app, routes.uploadAttachment, async ({ signal }, form) => {
    for await (const { content } of form) {
      // The form is read no further once its loop is left.
      const kept = await attachments.receive(content, signal)
      return kept
    }
    throw new AppError('bad_request', 'The form has no file. Send one in its field `file`.')
  })
  mount(app, routes.deleteAttachment, async ({ params }) => {
    await attachments.delete(params.attachment_id)
    return { success: true as const }
  })
}
