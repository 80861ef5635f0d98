import { BOUNDS } from '../../domain/bounds.ts'

/** A deletion: `<milliseconds>-<random>` is its id. */
export interface TrashItem {
  id: string
  kib: number
}

const ID = /^(\d{13})-[0-9a-f]{12}$/

/** @param output lines of `<id> <KiB>`, in any order; others are none of ours */
export function parseTrash(output: string): TrashItem[] {
  return output.split('\n').flatMap(line => {
    const [id = '', kib = ''] = line.split(' ')
    return ID.test(id) ? [{ id, kib: /^\d{1,15}$/.test(kib) ? Number(kib) : 0 }] : []
  })
}

/** Which deletions are removed for good: those too old, and the oldest beyond the bounds. The newest one always stays. */
export function expiredItems(items: readonly TrashItem[], now: number): string[] {
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
