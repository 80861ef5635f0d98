import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../domain/errors.ts'
import type { ByteRange, SandboxHandle } from '../../domain/sandbox-handle.ts'
import { folderEntries } from '../files/zip/folder-entries.ts'
import { zipStream } from '../files/zip/zip.ts'
import { nothingAt } from './paths.ts'

/** To be read to the end or destroyed. A folder has no size before it was read. */
export interface Download {
  name: string
  /** As the table of extensions says; nothing that a browser runs. */
  type: string
  file: { sizeBytes: number; range: ByteRange } | null
  content: Readable
}

/**
 * What a window shows or a player plays. HTML, SVG and scripts are not among them: they come as bytes, so that nothing that the
 * sandbox holds is ever a page of ours.
 */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.pdf': 'application/pdf',
}

/** @throws AppError file_not_found, bad_request for what is neither file nor folder */
export async function openDownload(
  sandbox: SandboxHandle,
  path: string,
  rangeOf: (sizeBytes: number) => ByteRange,
): Promise<Download> {
  const there = await sandbox.stat(path)
  if (!there) throw nothingAt(path)
  const name = posix.basename(path) || 'sandbox'
  if (there.kind === 'directory') {
    const content = zipStream(folderEntries(await sandbox.readArchive(path)))
    return { name: `${name}.zip`, type: 'application/zip', file: null, content }
  }
  if (there.kind === 'other') {
    throw new AppError('bad_request', `${path} is a pipe, a socket or a device, which is not read. Name a file.`)
  }
  const { sizeBytes, range, content } = await sandbox.sendFile(path, rangeOf)
  const type = TYPES[posix.extname(name).toLowerCase()] ?? 'application/octet-stream'
  return { name, type, file: { sizeBytes, range }, content }
}
