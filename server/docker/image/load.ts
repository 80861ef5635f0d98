import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { engineMessage, statusOf } from '../errors.ts'
import { jsonLines } from '../json-lines.ts'

const loadLine = z.object({ error: z.string().optional() })

export async function loadImage(docker: Docker, archive: Readable, signal?: AbortSignal): Promise<void> {
  const options = { quiet: true, ...(signal && { abortSignal: signal }) }
  const answer = (await docker.loadImage(archive, options).catch(error => {
    throw statusOf(error) === undefined ? error : loadError(engineMessage(error))
  })) as Readable
  for await (const line of jsonLines(answer)) {
    const { error } = loadLine.parse(line)
    if (error) throw loadError(error)
  }
  signal?.throwIfAborted()
}

/** The engine says it in the words of its system. */
function loadError(said: string): AppError {
  if (!/no space left on device|disk quota exceeded/i.test(said)) {
    return new AppError('engine_failed', `Loading the image failed. The engine says: ${said}`)
  }
  const next = 'Free some in Settings › Storage, then try again.'
  return new AppError('disk_full', `The disk of the Docker engine has no room for the image. ${next}`)
}
