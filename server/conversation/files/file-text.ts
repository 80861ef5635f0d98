import { AppError } from '../../domain/errors.ts'

/** The text of a file's content. @throws AppError file_not_text for what is not UTF-8 */
export function textIn(content: Buffer, path: string): string {
  try {
    if (!content.includes(0)) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    // Not UTF-8: not text, as far as clients are concerned.
  }
  throw new AppError('file_not_text', `Unable to open binary file: ${path}`)
}
