import { posix } from 'node:path'
import type { RouteReply } from '../../api/contract/route.ts'
import type { FileEntry, listFolder } from '../../api/v1/sandbox/files.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { type PageQuery, pageOf } from '../../paging/page.ts'
import { ignoredNames, linksIn } from './entry-facts.ts'
import { type Listed, type Listing, listFolderOf } from './listing.ts'

interface Kept {
  listing: Listing
  timer: NodeJS.Timeout
}

/** Folders a page at a time. A long list is kept for a moment, so that its pages belong together and cost one look. */
export class FolderLists {
  readonly #kept = new Map<string, Kept>()

  /** @throws AppError file_not_found, bad_request */
  async page(
    sandbox: SandboxHandle,
    folder: string,
    query: PageQuery,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof listFolder>> {
    const key = `${sandbox.id}\0${folder}`
    const kept = query.page_id ? this.#kept.get(key)?.listing : undefined
    const listing = kept ?? (await listFolderOf(sandbox, folder, signal))
    if (!kept && listing.entries.length > query.limit) this.#keep(key, listing)
    const { items, next_page_id } = pageOf(listing.entries, query)
    const { entries, complete } = listing
    return {
      items: await facts(sandbox, folder, items, signal),
      next_page_id,
      path: folder,
      total: entries.length,
      complete,
    }
  }

  #keep(key: string, listing: Listing): void {
    this.#forget(key)
    const timer = setTimeout(() => this.#forget(key), BOUNDS.keptListing.limit).unref()
    this.#kept.set(key, { listing, timer })
    let count = 0
    for (const [each, { listing: known }] of [...this.#kept].reverse()) {
      count += known.entries.length
      if (count > BOUNDS.keptListings.limit) this.#forget(each)
    }
  }

  #forget(key: string): void {
    clearTimeout(this.#kept.get(key)?.timer)
    this.#kept.delete(key)
  }
}

async function facts(
  sandbox: SandboxHandle,
  folder: string,
  entries: readonly Listed[],
  signal: AbortSignal,
): Promise<FileEntry[]> {
  const [ignored, links] = await Promise.all([
    ignoredNames(sandbox, folder, entries, signal),
    linksIn(sandbox, folder, entries, signal),
  ])
  return entries.map(({ name, isText, kind, executable, sizeBytes, modified }) => ({
    name,
    path: isText ? posix.join(folder, name) : null,
    kind,
    size_bytes: sizeBytes,
    modified_at: timeOf(modified),
    executable,
    ignored: name === '.git' || ignored.has(name),
    link: kind === 'link' ? (links.get(name) ?? { path: null, kind: 'missing' }) : null,
  }))
}

/** The years 1 to 9999, which a time can be written in. */
const [MIN_SECONDS, MAX_SECONDS] = [-62_135_596_800, 253_402_300_799]

/** A file may claim to be of any time. */
function timeOf(seconds: number | null): string | null {
  if (seconds === null || seconds < MIN_SECONDS || seconds > MAX_SECONDS) return null
  return new Date(seconds * 1000).toISOString()
}
