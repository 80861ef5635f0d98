import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import * as routes from '../../../api/v1/sandbox/spec-files.ts'
import { DEFAULT_ENGINE } from '../../../api/v1/system/engines.ts'
import { BOUNDS } from '../../../domain/bounds.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Services } from '../../core/services.ts'
import { expressPath, mount, readCall } from '../../mount/mount.ts'
import { mountUpload } from '../../mount/stream.ts'
import { ValidationError } from '../../mount/validation.ts'

/** Sandbox specs as files, which are as large as an image. */
export function mountSpecFiles(app: Express, { engines }: Pick<Services, 'engines'>): void {
  const exportsOf = async (specId: string) => (await engines.ofSpec(specId)).specExports
  mount(app, routes.getSpecExport, async ({ params }) => (await exportsOf(params.spec_id)).describe(params.spec_id))
  app.get(expressPath(routes.downloadSpec.path), async (request, response) => {
    const { params } = readCall(routes.downloadSpec, request, response)
    const { fileName, content } = await (await exportsOf(params.spec_id)).open(params.spec_id)
    response.attachment(fileName).type(routes.downloadSpec.media?.reply ?? '')
    // A reply that has begun can only be cut off.
    await pipeline(content, response).catch(() => response.destroy())
  })
  mountUpload(
    app,
    routes.importSpec,
    async ({ signal }, form) => {
      const { specImports } = engines.get(DEFAULT_ENGINE)
      for await (const { name, content } of form) {
        const { spec, image, leftOut } = await specImports.import(content, { fileName: name, signal })
        return { spec, image, left_out: leftOut }
      }
      throw ValidationError.missing('file')
    },
    { maxBytes: BOUNDS.specFile.limit, tooLarge },
  )
}

function tooLarge(): AppError {
  const most = BOUNDS.specFile.limit / 1024 ** 3
  return new AppError('too_large', `The file is larger than ${most} GiB. Export a sandbox spec with a smaller image.`)
}
