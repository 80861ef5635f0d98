import { AppError } from '../errors.ts'

/**
 * Page ids of the legacy list: base64 of `{"v0": …, "v1": "<offset>"}`, as existing clients pass them back. The two
 * generations share one list here, so only the second is used; a bare offset in base64 is understood too.
 */
export function writePageId(offset: number): string {
  return Buffer.from(JSON.stringify({ v0: null, v1: String(offset) })).toString('base64')
}

/** @throws AppError bad_request */
export function readPageId(pageId: string | null | undefined): number {
  if (!pageId) return 0
  const text = Buffer.from(pageId, 'base64').toString()
  const offset = /^\d{1,9}$/.test(text) ? text : offsetIn(text)
  if (offset === undefined)
    throw new AppError(
      'bad_request',
      'The page_id is not one that a list gave. Leave it out to begin with the first page.',
    )
  return Number(offset)
}

function offsetIn(text: string): string | undefined {
  try {
    const { v1 } = JSON.parse(text)
    return /^\d{1,9}$/.test(String(v1)) ? String(v1) : undefined
  } catch {
    return undefined
  }
}
