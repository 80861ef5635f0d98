import { AppError } from '../domain/errors.ts'

/** Where a page begins: among those that are starting, which come first, and among the others. */
export interface LegacyPage {
  /** null after the last page */
  starting: number | null
  offset: number
}

/**
 * Page ids of the legacy list: base64 of `{"v0": "<offset>", "v1": "<offset>"}`, as existing clients pass them back. There
 * it speaks of two generations; they share one list here, which those that are starting precede.
 */
export function writePageId({ starting, offset }: LegacyPage): string {
  const v0 = starting === null ? null : String(starting)
  return Buffer.from(JSON.stringify({ v0, v1: String(offset) })).toString('base64')
}

/** A bare offset in base64 is understood too. @throws AppError bad_request */
export function readPageId(pageId: string | null | undefined): LegacyPage {
  if (!pageId) return { starting: 0, offset: 0 }
  const text = Buffer.from(pageId, 'base64').toString()
  const page = OFFSET.test(text) ? { starting: null, offset: Number(text) } : pageIn(text)
  if (page) return page
  throw new AppError(
    'bad_request',
    'The page_id is not one that a list gave. Leave it out to begin with the first page.',
  )
}

const OFFSET = /^\d{1,9}$/

function pageIn(text: string): LegacyPage | undefined {
  try {
    const { v0, v1 } = JSON.parse(text)
    if (!OFFSET.test(String(v1))) return undefined
    return { starting: OFFSET.test(String(v0)) ? Number(v0) : null, offset: Number(v1) }
  } catch {
    return undefined
  }
}
