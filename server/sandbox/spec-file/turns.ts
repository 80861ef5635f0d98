import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'

/** Each file keeps the engine's disk busy, and some of it filled. */
export class Turns {
  #count = 0

  /** @returns what ends the turn @throws AppError too_many_requests */
  begin(): () => void {
    const { limit } = BOUNDS.specFilesAtOnce
    if (this.#count >= limit) {
      const what = `${limit} files of sandbox specs are being written or read already.`
      throw new AppError('too_many_requests', `${what} Wait until one is done, or cancel it, then try again.`)
    }
    this.#count++
    let isOver = false
    return () => {
      if (!isOver) this.#count--
      isOver = true
    }
  }
}
