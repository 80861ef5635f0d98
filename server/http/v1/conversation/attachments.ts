import type { Express } from 'express'
import * as routes from '../../../api/v1/conversation/attachments.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'
import { mountUpload } from '../../mount/stream.ts'
import { ValidationError } from '../../mount/validation.ts'

/** Files that wait for a conversation to begin with them. */
export function mountAttachments(app: Express, { attachments }: Pick<Services, 'attachments'>): void {
  mountUpload(app, routes.uploadAttachment, async ({ signal }, form) => {
    for await (const { content } of form) {
      // The form is read no further once its loop is left.
      const kept = await attachments.receive(content, signal)
      return kept
    }
    throw ValidationError.missing('file')
  })
  mount(app, routes.deleteAttachment, async ({ params }) => {
    await attachments.delete(params.attachment_id)
    return { success: true as const }
  })
}
