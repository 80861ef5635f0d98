import { createHash, timingSafeEqual } from 'node:crypto'
import type { SandboxService } from '../sandbox/service.ts'

/** What a key opens: everything, or one sandbox with its conversations. */
export type Access = { kind: 'all' } | { kind: 'sandbox'; sandboxId: string }

/** Finds the sandbox whose session key this is, running or not. */
export async function accessOf(
  key: string,
  sandboxes: Pick<SandboxService, 'search'>,
  keyOf: (sandboxId: string) => string,
): Promise<Access | undefined> {
  const given = digest(key)
  let pageId: string | null = null
  do {
    const page: Awaited<ReturnType<SandboxService['search']>> = await sandboxes.search({ limit: 100, page_id: pageId })
    const found = page.items.find(({ id }) => timingSafeEqual(given, digest(keyOf(id))))
    if (found) return { kind: 'sandbox', sandboxId: found.id }
    pageId = page.next_page_id
  } while (pageId !== null)
  return undefined
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
