import { arrayBuffer } from 'node:stream/consumers'
import type { Express } from 'express'
import * as routes from '../../api/v1/conversation/replays.ts'
import { newAppConversation } from '../../api/v1/conversation/starts.ts'
import { readSavedLog } from '../../conversation/saved-log/read.ts'
import type { Starter } from '../../conversation/start/starter.ts'
import { AppError } from '../../domain/errors.ts'
import type { FormFile } from '../mount/form.ts'
import { mount } from '../mount/mount.ts'
import { mountUpload } from '../mount/stream.ts'

export function mountReplays(app: Express, starter: Starter): void {
  mount(app, routes.startReplay, ({ body: { events, ...asked } }) =>
    starter.startReplay(newAppConversation.parse({ ...asked, trigger: 'gui' }), JSON.stringify(events)),
  )
  mountUpload(app, routes.readSavedLog, async ({ signal }, form) => readSavedLog(await onlyFile(form), signal))
}

/** @throws AppError bad_request */
async function onlyFile(form: AsyncIterable<FormFile>): Promise<Uint8Array<ArrayBuffer>> {
  for await (const { content } of form) {
    return new Uint8Array(await arrayBuffer(content))
  }
  throw new AppError('bad_request', 'The form has no file. Send the saved log in its field `file`.')
}
