import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { isImageReference } from '../../api/v1/sandbox/image-reference.ts'
import { AppError } from '../../domain/errors.ts'
import { engineError } from '../errors.ts'

/** The library's own call cannot be given up before the engine answers, which takes it as long as it writes the image to its disk. */
interface Dialling {
  modem: {
    dial(
      options: { path: string; method: 'GET'; isStream: true; abortSignal: AbortSignal; statusCodes: object },
      callback: (error: Error | null, answer: unknown) => void,
    ): void
  }
}

/** An image as a tar. Aborting ends it. */
export async function saveImage(docker: Docker, reference: string, signal: AbortSignal): Promise<Readable> {
  if (!isImageReference(reference)) throw new AppError('image_missing', 'No image has such a name.')
  try {
    return await dial(docker, reference, signal)
  } catch (error) {
    throw engineError('Saving the image', error, { 404: 'image_missing' })
  }
}

function dial(docker: Docker, reference: string, abortSignal: AbortSignal): Promise<Readable> {
  const path = `/images/${reference}/get`
  const statusCodes = { 200: true, 404: 'no such image', 500: 'server error' }
  return new Promise((resolve, reject) => {
    const { modem } = docker as unknown as Dialling
    modem.dial({ path, method: 'GET', isStream: true, abortSignal, statusCodes }, (error, answer) => {
      if (error) reject(error)
      else resolve(answer as Readable)
    })
  })
}
