import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'

/** How many of the first items a page takes: as many as are together no larger than `limit`, and at least one. */
export function countFitting<Item>(items: readonly Item[], sizeOf: (item: Item) => number, limit: number): number {
  let size = 0
  const beyond = items.findIndex((item, index) => {
    size += sizeOf(item)
    return size > limit && index > 0
  })
  return beyond === -1 ? items.length : beyond
}

/** @param size of everything that is asked for by these ids at once @throws AppError too_large */
export function assertBatchFits(ids: readonly string[], size: number): void {
  const { limit } = BOUNDS.batch
  if (size <= limit || ids.length === 1) return
  throw new AppError(
    'too_large',
    `Together these are larger than ${limit.toLocaleString('en-US')} bytes. Ask for fewer ids at a time.`,
  )
}
