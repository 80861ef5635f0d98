import type { TrashItem } from '../../api/v1/sandbox/files.ts'
import { BOUNDS } from '../../domain/bounds.ts'

/** A deletion: `<milliseconds>-<random>` is its id. */
interface Measured {
  id: string
  kib: number
}

const ID = /^(\d{13})-[0-9a-f]{12}$/

/** @param output lines of `<id> <KiB>`, in any order; others are none of ours */
export function parseTrash(output: string): Measured[] {
  return output.split('\n').flatMap(line => {
    const [id = '', kib = ''] = line.split(' ')
    return ID.test(id) ? [{ id, kib: /^\d{1,15}$/.test(kib) ? Number(kib) : 0 }] : []
  })
}

const LISTED = /^(\d{13})(-[0-9a-f]{12}) (file|directory|link|other) (\d{1,15}|-) (\/.*)\.$/s

/** @param output of each deletion `<id> <kind> <KiB> <path>.`, with a zero byte after it; others are none of ours. @returns the last one first */
export function parseTrashList(output: string): TrashItem[] {
  const items = output.split('\0').flatMap(line => {
    const [, time = '', rest = '', kind, kib = '', path = ''] = LISTED.exec(line) ?? []
    if (path === '') return []
    return {
      trash_id: `${time}${rest}`,
      path,
      kind: kind as TrashItem['kind'],
      size_bytes: kib === '-' ? null : Number(kib) * 1024,
      deleted_at: new Date(Number(time)).toISOString(),
    }
  })
  return items.toSorted((a, b) => (a.trash_id < b.trash_id ? 1 : -1))
}

/** Which deletions are removed for good: those too old, and the oldest beyond the bounds. The newest one always stays. */
export function expiredItems(items: readonly Measured[], now: number): string[] {
  const newestFirst = items.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  let bytes = 0
  return newestFirst
    .filter(({ id, kib }, index) => {
      bytes += kib * 1024
      if (index === 0) return false
      const isOld = now - Number(ID.exec(id)?.[1]) > BOUNDS.trashAge.limit
      return isOld || index >= BOUNDS.trashItems.limit || bytes > BOUNDS.trashBytes.limit
    })
    .map(({ id }) => id)
}
