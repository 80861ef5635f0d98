import { pipeline } from 'node:stream/promises'
import type { Express, Request, Response } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as files from '../../api/agent-server/files.ts'
import type { Success } from '../../api/contract/page.ts'
import { isForm, readForm } from '../mount/form.ts'
import { expressPath, readCall } from '../mount/mount.ts'
import { ValidationError } from '../mount/validation.ts'
import { accessIn, mountGateway } from './mount.ts'

/** Files of the key's sandbox, in both shapes of the path. */
export function mountGatewayFiles(
  app: Express,
  { files: service, archives, conversations, trajectories }: GatewayServices,
): void {
  app.post(expressPath(files.uploadFile.path), async (request, response) => {
    const { query, signal } = readCall(files.uploadFile, request, response)
    response.json(await upload(service, { request, response, path: query.path, signal }))
  })
  app.post(expressPath(files.uploadFileByPath.path), async (request, response) => {
    const { params, signal } = readCall(files.uploadFileByPath, request, response)
    response.json(await upload(service, { request, response, path: params.path, signal }))
  })
  app.get(expressPath(files.downloadFile.path), async (request, response) => {
    const { query, signal } = readCall(files.downloadFile, request, response)
    await download(service, { response, path: query.path, signal })
  })
  app.get(expressPath(files.downloadFileByPath.path), async (request, response) => {
    const { params, signal } = readCall(files.downloadFileByPath, request, response)
    await download(service, { response, path: params.path, signal })
  })
  app.get(expressPath(files.downloadTrajectory.path), async (request, response) => {
    const { params } = readCall(files.downloadTrajectory, request, response)
    const { id } = conversations.find(accessIn(response), params.conversation_id)
    const archive = await trajectories.download(id)
    response.attachment(`conversation_${id}.zip`).type('application/zip')
    await pipeline(archive, response).catch(() => response.destroy())
  })
  app.get(expressPath(files.archiveDirectory.path), async (request, response) => {
    const { query, signal } = readCall(files.archiveDirectory, request, response)
    const { name, type, headers, content } = await archives.archive(accessIn(response), query, signal)
    response.attachment(name).type(type).set(headers)
    await pipeline(content, response).catch(() => response.destroy())
  })
  mountGateway(app, files.createDirectory, async ({ access, query, signal }) => {
    await service.createDirectory(access, query.path, signal)
    return { success: true }
  })
  mountGateway(app, files.getHome, ({ access, signal }) => service.home(access, signal))
  mountGateway(app, files.searchSubdirectories, ({ access, query, signal }) =>
    service.subdirectories(access, query, signal),
  )
}

type Files = GatewayServices['files']

/** The first file of the form goes to the sandbox as it arrives. */
async function upload(
  service: Files,
  { request, response, path, signal }: { request: Request; response: Response; path: string; signal: AbortSignal },
): Promise<Success> {
  const access = accessIn(response)
  if (!isForm(request)) throw ValidationError.missing('file')
  for await (const { content } of readForm(request)) {
    await service.upload(access, path, content, signal)
    return { success: true }
  }
  throw ValidationError.missing('file')
}

async function download(
  service: Files,
  { response, path, signal }: { response: Response; path: string; signal: AbortSignal },
): Promise<void> {
  const { sizeBytes, content } = await service.download(accessIn(response), path, signal)
  const name = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  response.set({
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(sizeBytes),
    'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
  })
  await pipeline(content, response).catch(() => response.destroy())
}
