import type { Job } from './job.ts'

const INTERVAL_MS = 200
const LOOKED_AT_CHARS = 8_000
const SHOWN_LINES = 30

/** Calls `report` with the last lines of a command while it shows new output, at most five times a second. */
export function reportProgress(job: Job, report: (tail: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const stopListening = job.listen(what => {
    if (what !== 'output' || timer) return
    timer = setTimeout(() => {
      timer = undefined
      report(lastLines(job.screen.end(LOOKED_AT_CHARS)))
    }, INTERVAL_MS)
  })
  return () => {
    stopListening()
    clearTimeout(timer)
  }
}

/** A first line that is cut is left out: half a secret would not be recognised. */
function lastLines(text: string): string {
  const lines = text.split('\n')
  if (text.length === LOOKED_AT_CHARS) lines.shift()
  return lines.slice(-SHOWN_LINES).join('\n').trimStart()
}
