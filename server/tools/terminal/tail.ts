import type { Job } from './job.ts'

const INTERVAL_MS = 200
const TAIL_CHARS = 8_000
const SHOWN_LINES = 30

/**
 * Calls `report` with the last lines of a command while it shows new output, at most five times a second.
 * @param hide takes secrets out of text that may go on
 */
export function reportProgress(job: Job, hide: (text: string) => string, report: (tail: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const reportSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      const text = job.screen.end(TAIL_CHARS)
      report(lastLines(hide(wholeLines(text))))
    }, INTERVAL_MS)
  }
  const stopListening = job.listen(what => what === 'output' && reportSoon())
  // The first output can come with the news that the command has begun.
  if (job.shown) reportSoon()
  return () => {
    stopListening()
    clearTimeout(timer)
  }
}

/** A first line that is cut is left out: half a secret would not be recognised. */
function wholeLines(text: string): string {
  if (text.length < TAIL_CHARS) return text
  const end = text.indexOf('\n')
  return end < 0 ? '' : text.slice(end + 1)
}

function lastLines(text: string): string {
  return text.split('\n').slice(-SHOWN_LINES).join('\n').trim()
}
