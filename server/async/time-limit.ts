/** A timer cannot be set for longer: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const MAX_MS = 2 ** 31 - 1

/**
 * A signal that aborts with a `TimeoutError` after so many milliseconds. It takes the place of `AbortSignal.timeout`: both the timer of
 * that one and `AbortSignal.any` hold it weakly, so that, used together, it is collected and never aborts
 * (https://github.com/nodejs/node/issues/57736).
 */
export function timeLimit(milliseconds: number): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  setTimeout(abort, Math.min(milliseconds, MAX_MS)).unref()
  return controller.signal
}
