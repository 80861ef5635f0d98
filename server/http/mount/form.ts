import { Readable, Transform } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { Request } from 'express'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'

export interface FormFile {
  name: string
  content: AsyncIterable<Buffer>
}

export interface FormBound {
  /** Of its files together. */
  maxBytes: number
  tooLarge(): AppError
}

const USUAL_BOUND: FormBound = {
  maxBytes: BOUNDS.formBytes.limit,
  tooLarge: () => new AppError('too_large', 'The files are larger than 100 MB together. Send fewer at once.'),
}

/**
 * What comes of the one file that a form should have; the rest of it goes by unread.
 * @returns undefined for a form without a file
 */
export async function receiveOneFile<T>(
  form: AsyncIterable<FormFile>,
  receive: (file: FormFile) => Promise<T>,
): Promise<T | undefined> {
  // The form is read no further once its loop is left.
  for await (const file of form) {
    const received = await receive(file)
    return received
  }
  return undefined
}

export function isForm(request: { headers: { 'content-type'?: string | undefined } }): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
}

/**
 * The files of a form as they arrive; each must be read to its end before the next one comes.
 * @throws AppError bad_request for what is no form, too_large
 */
export function readForm(request: Request, bound = USUAL_BOUND): AsyncIterable<FormFile> {
  const parser = createParser(request)
  const files = new Readable({ objectMode: true, read() {} })
  let current: Readable | undefined
  // Whoever reads a file at the moment learns of it too.
  const fail = (error: unknown) => {
    const known = asAppError(error)
    current?.destroy(known)
    files.destroy(known)
  }
  files.on('error', () => {}) // the reader gets the error too
  parser.on('file', (_field, content, name) => {
    current = content
    // It may fail before it is read; its reader gets the error all the same.
    content.on('error', () => {})
    files.push({ name: name ?? '', content: contentOf(content) } satisfies FormFile)
  })
  parser.on('error', fail)
  parser.on('finish', () => files.push(null))
  const measured = request.pipe(limit(bound))
  measured.on('error', fail)
  request.on('aborted', () => fail(new Error('the connection was closed')))
  measured.pipe(parser)
  // Whoever stops reading lets the rest go by.
  files.on('close', () => {
    request.unpipe(measured)
    request.resume()
  })
  return files
}

function createParser(request: Request): Busboy {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: { files: BOUNDS.formParts.limit, fields: BOUNDS.formParts.limit, fieldSize: 64 * 1024 },
    })
  } catch (error) {
    throw asAppError(error)
  }
}

async function* contentOf(content: Readable): AsyncGenerator<Buffer> {
  try {
    yield* content as AsyncIterable<Buffer>
  } catch (error) {
    throw asAppError(error)
  }
}

function limit({ maxBytes, tooLarge }: FormBound): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= maxBytes) done(null, chunk)
      else done(tooLarge())
    },
  })
}

function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error
  return new AppError('bad_request', `The form could not be read: ${messageOf(error)}`, { cause: error })
}
