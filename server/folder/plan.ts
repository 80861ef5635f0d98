import { Slices } from '../async/slices.ts'
import type { PresentFile } from './compare.ts'
import type { BaseFile } from './copies.ts'
import { refusalOf } from './unsafe-path.ts'

/** A file that the conversation changed, beside what the folder has. */
export interface PlannedFile {
  path: string
  status: 'ADDED' | 'UPDATED' | 'DELETED'
  state: 'fits' | 'conflict' | 'refused'
  reason: string | null
  now: BaseFile | null
  /** null to remove it. */
  wanted: BaseFile | null
  seen: string | null
}

/** What a sandbox says that a file has become; `mode` is null for one that is gone. */
interface Change {
  path: string
  mode: string | null
  object: string
}

type Base = ReadonlyMap<string, BaseFile>

/** Files that differ from the folder, in the order of the changes. What the folder has already is left out. */
export async function planFiles(given: {
  changes: readonly Change[]
  base: Base
  present: ReadonlyMap<string, PresentFile>
  signal: AbortSignal
}): Promise<PlannedFile[]> {
  const { changes, base, present, signal } = given
  const collisions = await collidingPaths(changes, base)
  signal.throwIfAborted()
  return changes.flatMap((change): PlannedFile[] => {
    const { path, mode, object } = change
    const before = base.get(path) ?? null
    const wanted = mode === null ? null : { mode, object }
    const found = present.get(path)
    const now = found?.file ?? null
    const status = wanted === null ? 'DELETED' : before ? 'UPDATED' : 'ADDED'
    const shared = { path, status, now, wanted, seen: found?.seen ?? null } as const
    const refusal =
      refusedChange(change, before) ??
      (collisions.has(path) ? 'Its name differs from that of another file in capitals alone.' : null) ??
      (found?.place === 'blocked' ? 'A link or a folder is in its place on this computer.' : null)
    if (refusal !== null) return [{ ...shared, state: 'refused', reason: refusal }]
    if (same(now, wanted) || (wanted === null && before === null)) return []
    if (same(now, before)) return [{ ...shared, state: 'fits', reason: null }]
    return [{ ...shared, state: 'conflict', reason: conflictOf(now, before) }]
  })
}

/** Paths whose place in the folder may be looked at. */
export function readablePaths(changes: readonly Change[], base: Base): string[] {
  return changes.filter(change => refusedChange(change, base.get(change.path) ?? null) === null).map(({ path }) => path)
}

function refusedChange({ path, mode }: Change, before: BaseFile | null): string | null {
  return refusalOf(path, mode ?? before?.mode ?? '100644')
}

function same(a: BaseFile | null, b: BaseFile | null): boolean {
  return a === b || (a !== null && b !== null && a.object === b.object && a.mode === b.mode)
}

function conflictOf(now: BaseFile | null, before: BaseFile | null): string {
  if (before === null) return 'The folder has a file of this name that was not copied.'
  return now === null ? 'It was removed from the folder since.' : 'It changed in the folder since.'
}

/** New files whose names a file system that ignores capitals takes for another one's. */
async function collidingPaths(changes: readonly Change[], base: Base): Promise<Set<string>> {
  const plain = (path: string) => path.normalize('NFC').toLowerCase()
  const gone = new Set(changes.filter(({ mode }) => mode === null).map(({ path }) => path))
  const added = changes.filter(({ path, mode }) => mode !== null && !base.has(path)).map(({ path }) => path)
  const names = new Map<string, string[]>()
  for (const path of added) names.set(plain(path), [...(names.get(plain(path)) ?? []), path])
  const colliding = new Set([...names.values()].filter(paths => paths.length > 1).flat())
  if (names.size === 0) return colliding
  const slices = new Slices()
  for (const path of base.keys()) {
    if (!gone.has(path)) for (const each of names.get(plain(path)) ?? []) colliding.add(each)
    if (slices.due()) await slices.turn()
  }
  return colliding
}
