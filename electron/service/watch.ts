/** What is known of a service by looking at it from time to time. */
export interface Watched {
  /** Not where it starts, closes or opens its database anew, all of which may take long. */
  isReady(): boolean
  /** Resolves when the service has answered. */
  ask(): Promise<unknown>
  /** Once it has not answered for long. Must not throw. */
  onHang(): void
  /** After `onHang`: it has answered after all, or is not to be asked any more. Must not throw. */
  onEnd(): void
}

export interface Watch {
  /** A person waits: `onHang` is called again after a longer time. */
  wait(): void
  close(): void
}

export const ASK_EVERY_MS = 5_000
/** What is merely busy, with a large collection of garbage say, answers well before. */
const HANG_LOOKS = 4
/** After a person has chosen to wait. */
const WAIT_LOOKS = 12
/** A look that comes this late was held up itself: the computer slept, or the app was stopped. */
const LATE_MS = 2 * ASK_EVERY_MS

/** Looks are counted, and not time: of that in which the computer sleeps nobody knows how much passes for which process. */
export function watchForHang({ isReady, ask, onHang, onEnd }: Watched): Watch {
  let asked: Promise<unknown> | undefined
  let silent = 0
  let limit = HANG_LOOKS
  let isHanging = false
  let lastLook = Date.now()
  let timer: NodeJS.Timeout

  const goesOn = (): void => {
    asked = undefined
    silent = 0
    limit = HANG_LOOKS
    if (!isHanging) return
    isHanging = false
    onEnd()
  }
  const look = (): void => {
    // The wall clock is the one that goes on while the computer sleeps, on every system.
    const now = Date.now()
    if (now - lastLook > LATE_MS) silent = 0
    lastLook = now
    if (!isReady()) goesOn()
    else if (asked) count()
    else askOnce()
    timer = setTimeout(look, ASK_EVERY_MS)
  }
  const askOnce = (): void => {
    const answered = ask()
    asked = answered
    // The end of its process answers as well.
    const heard = () => {
      if (asked === answered) goesOn()
    }
    answered.then(heard, heard)
  }
  const count = (): void => {
    silent += 1
    if (silent < limit || isHanging) return
    isHanging = true
    onHang()
  }
  timer = setTimeout(look, ASK_EVERY_MS)
  return {
    wait() {
      if (!isHanging) return
      isHanging = false
      silent = 0
      limit = WAIT_LOOKS
    },
    close() {
      clearTimeout(timer)
    },
  }
}
