import type { NamedBy } from '../outbound/outbound.ts'
import type { SandboxService } from '../sandbox/service.ts'
import { isSameKey } from '../secret/same-key.ts'

/** What a key opens: everything, or one sandbox with its conversations. */
export type Access = { kind: 'all' } | { kind: 'sandbox'; sandboxId: string }

/** The app's own key is the person's word; the key of a sandbox is in the hands of whatever runs in it. */
export function namedByOf(access: Access): NamedBy {
  return access.kind === 'all' ? 'person' : 'other'
}

/** Finds the sandbox whose session key this is, running or not. */
export async function accessOf(
  key: string,
  sandboxes: Pick<SandboxService, 'search'>,
  keyOf: (sandboxId: string) => string,
): Promise<Access | undefined> {
  let pageId: string | null = null
  do {
    const page: Awaited<ReturnType<SandboxService['search']>> = await sandboxes.search({ limit: 100, page_id: pageId })
    const found = page.items.find(({ id }) => isSameKey(key, keyOf(id)))
    if (found) return { kind: 'sandbox', sandboxId: found.id }
    pageId = page.next_page_id
  } while (pageId !== null)
  return undefined
}
