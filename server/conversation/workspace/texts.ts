import { buffer } from 'node:stream/consumers'
import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type { FileText, saveFileText } from '../../api/v1/sandbox/files.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { sha256 } from '../../sandbox/files/files.ts'
import { textIn } from '../files/file-text.ts'

/** @throws AppError file_not_found, bad_request for what is no file, file_not_text */
export async function readText(sandbox: SandboxHandle, path: string): Promise<FileText> {
  const there = await sandbox.stat(path)
  if (!there) throw new AppError('file_not_found', `There is no file ${path} in the sandbox. Check the path.`)
  if (there.kind !== 'file') throw new AppError('bad_request', `${path} is not a file. Name a file.`)
  if (there.sizeBytes > BOUNDS.editedText.limit) return readBeginning(sandbox, path)
  let content: Buffer
  try {
    content = await sandbox.readFile(path, { maxBytes: BOUNDS.editedText.limit })
  } catch (error) {
    // It has grown since.
    if (isAppError(error, 'file_too_large')) return readBeginning(sandbox, path)
    throw error
  }
  return { path, text: textIn(content, path), size_bytes: content.length, version: sha256(content) }
}

async function readBeginning(sandbox: SandboxHandle, path: string): Promise<FileText> {
  const rangeOf = (size: number) => ({ start: 0, length: Math.min(size, BOUNDS.shownText.limit) })
  const { sizeBytes, content } = await sandbox.sendFile(path, rangeOf)
  const text = textIn(wholeCharacters(await buffer(content)), path)
  return { path, text, size_bytes: sizeBytes, version: null }
}

/** Without the bytes of a character that was cut off at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  return end > 0 && ((bytes[end - 1] ?? 0) & 0x80) !== 0 ? bytes.subarray(0, end - 1) : bytes
}

/** @throws AppError conflict, file_too_large, bad_request */
export async function saveText(
  sandbox: SandboxHandle,
  path: string,
  { text, version }: Pick<RouteBody<typeof saveFileText>, 'text' | 'version'>,
): Promise<RouteReply<typeof saveFileText>> {
  const content = Buffer.from(text)
  if (content.length > BOUNDS.editedText.limit) {
    throw new AppError('file_too_large', 'The text is larger than 2 MiB. Upload it as a file.')
  }
  await sandbox.writeFile(path, content, { replaces: version })
  return { path, size_bytes: content.length, version: sha256(content) }
}
