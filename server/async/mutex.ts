/** Runs jobs one after the other; a failing one does not keep the next from running. */
export type Mutex = <T>(job: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return job => {
    const result = last.then(job)
    last = result.catch(() => {})
    return result
  }
}
