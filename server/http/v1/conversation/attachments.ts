import type { Express } from 'express'
import * as routes from '../../../api/v1/conversation/attachments.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Services } from '../../core/services.ts'
import { receiveOneFile } from '../../mount/form.ts'
import { mount } from '../../mount/mount.ts'
import { mountUpload } from '../../mount/stream.ts'

/** Files that wait for a conversation to begin with them. */
export function mountAttachments(app: Express, { attachments }: Pick<Services, 'attachments'>): void {
  mountUpload(app, routes.uploadAttachment, async ({ signal }, form) => {
    const kept = await receiveOneFile(form, ({ content }) => attachments.receive(content, signal))
    if (!kept) throw new AppError('bad_request', 'The form has no file. Send one in its field `file`.')
    return kept
  })
  mount(app, routes.deleteAttachment, async ({ params }) => {
    await attachments.delete(params.attachment_id)
    return { success: true as const }
  })
}
