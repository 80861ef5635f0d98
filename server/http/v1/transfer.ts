import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import * as exports from '../../api/v1/transfer/exports.ts'
import * as imports from '../../api/v1/transfer/imports.ts'
import * as instructions from '../../api/v1/transfer/instructions.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { Services } from '../core/services.ts'
import { receiveOneFile } from '../mount/form.ts'
import { expressPath, mount, readCall } from '../mount/mount.ts'
import { mountUpload } from '../mount/stream.ts'

/** Everything in one file, and the file of another computer. */
export function mountTransfer(app: Express, { dataExports, dataImports, userInstructions }: Services): void {
  mount(app, exports.startDataExport, ({ body: { passphrase = null, working_folders } }) =>
    dataExports.start({ passphrase, workingFolders: working_folders }),
  )
  mount(app, exports.getDataExport, ({ params }) => dataExports.get(params.export_id))
  app.get(expressPath(exports.downloadDataExport.path), async (request, response) => {
    const { params } = readCall(exports.downloadDataExport, request, response)
    const { fileName, bytes, content } = dataExports.open(params.export_id)
    response.attachment(fileName).type('application/zip').set('Content-Length', String(bytes))
    // A reply that has begun can only be cut off.
    await pipeline(content, response).catch(() => response.destroy())
  })
  mount(app, exports.deleteDataExport, async ({ params }) => {
    await dataExports.delete(params.export_id)
    return { success: true as const }
  })
  mountUpload(
    app,
    imports.uploadDataImport,
    async ({ signal }, form) => {
      const received = await receiveOneFile(form, ({ name, content }) => dataImports.receive(content, name, signal))
      if (received) return received
      throw new AppError('bad_request', 'The form has no file. Send the exported file in its field `file`.')
    },
    { maxBytes: BOUNDS.dataFile.limit, tooLarge },
  )
  mount(app, imports.lookIntoOpenHands, ({ body }) => dataImports.readFolder(body?.folder ?? null))
  mount(app, imports.getDataImport, ({ params }) => dataImports.get(params.import_id))
  mount(app, imports.startDataImport, ({ params, body: { passphrase = null, ...asked } }) =>
    dataImports.start(params.import_id, { ...asked, passphrase }),
  )
  mount(app, imports.deleteDataImport, async ({ params }) => {
    await dataImports.delete(params.import_id)
    return { success: true as const }
  })
  mount(app, instructions.listUserInstructions, async () => ({
    items: await userInstructions.list(),
    looked_for: userInstructions.lookedFor,
  }))
  mount(app, instructions.importUserInstructions, ({ params }) => userInstructions.import(params.program))
  mount(app, instructions.removeUserInstructions, async ({ params }) => {
    await userInstructions.remove(params.program)
    return { success: true as const }
  })
}

function tooLarge(): AppError {
  const most = BOUNDS.dataFile.limit / 1024 ** 3
  return new AppError(
    'too_large',
    `The file is larger than ${most} GiB. Delete conversations that are not needed any more on the other computer, then export again.`,
  )
}
