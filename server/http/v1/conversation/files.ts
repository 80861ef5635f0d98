import { pipeline } from 'node:stream/promises'
import type { Express, Request, Response } from 'express'
import * as routes from '../../../api/v1/sandbox/files.ts'
import type { Services } from '../../core/services.ts'
import { rangeIn } from '../../mount/byte-range.ts'
import { receiveOneFile } from '../../mount/form.ts'
import { expressPath, mount, readCall } from '../../mount/mount.ts'
import { mountUpload } from '../../mount/stream.ts'
import { ValidationError } from '../../mount/validation.ts'

type Files = Services['sandboxFiles']

/** The files of a conversation's sandbox, for a person. */
export function mountConversationFiles(app: Express, { sandboxFiles: files }: Pick<Services, 'sandboxFiles'>): void {
  mount(app, routes.listFolder, ({ params, query, signal }) => files.list(params.conversation_id, query, signal))
  mount(app, routes.findFiles, ({ params, query, signal }) => files.find(params.conversation_id, query.text, signal))
  mount(app, routes.getFileText, ({ params, query }) => files.text(params.conversation_id, query.path))
  mount(app, routes.saveFileText, ({ params, body }) => files.save(params.conversation_id, body))
  app.get(expressPath(routes.getFileContent.path), (request, response) => sendContent(files, request, response))
  mountUpload(app, routes.uploadFileContent, async ({ params, query, signal }, form) => {
    const uploaded = await receiveOneFile(form, ({ content }) =>
      files.upload(params.conversation_id, query, content, signal),
    )
    if (!uploaded) throw ValidationError.missing('file')
    return uploaded
  })
  mount(app, routes.createFile, ({ params, body, signal }) => files.create(params.conversation_id, body, signal))
  mount(app, routes.moveFile, ({ params, body, signal }) => files.move(params.conversation_id, body, signal))
  mount(app, routes.deleteFile, ({ params, query, signal }) => files.delete(params.conversation_id, query.path, signal))
  mount(app, routes.restoreFile, ({ params, body, signal }) =>
    files.restore(params.conversation_id, body.trash_id, signal),
  )
  mount(app, routes.listTrash, ({ params, signal }) => files.trash(params.conversation_id, signal))
  mount(app, routes.emptyTrash, async ({ params, signal }) => {
    await files.emptyTrash(params.conversation_id, signal)
    return { success: true as const }
  })
  mount(app, routes.getFilePlace, ({ params, query }) => files.place(params.conversation_id, query.path))
}

/** Whatever it is, a browser stores it: it is no page, no script and no picture of this origin. */
const NEVER_A_PAGE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-store',
}

async function sendContent(files: Files, request: Request, response: Response): Promise<void> {
  const { params, query } = readCall(routes.getFileContent, request, response)
  const { range: asked } = request.headers
  const { name, type, file, content } = await files.download(params.conversation_id, query.path, size =>
    rangeIn(asked, size),
  )
  response.set({ ...NEVER_A_PAGE, 'Content-Type': type })
  response.set('Content-Disposition', `attachment; filename*=UTF-8''${encodedName(name)}`)
  if (file) {
    const { sizeBytes, range } = file
    response.set({ 'Accept-Ranges': 'bytes', 'Content-Length': String(range.length) })
    if (range.length < sizeBytes) {
      response.status(206)
      response.set('Content-Range', `bytes ${range.start}-${range.start + range.length - 1}/${sizeBytes}`)
    }
  }
  await pipeline(content, response).catch(() => response.destroy())
}

/** As RFC 8187 has it, in which a quote and brackets are no plain characters. */
function encodedName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, each => `%${each.charCodeAt(0).toString(16)}`)
}
