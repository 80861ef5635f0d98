import { app } from 'electron'
import type { ChoiceFile } from '../background/choices.ts'

const MAX_CRASHES = 3
const WITHIN_MS = 60 * 60_000

/**
 * Draws without the graphics card where that is chosen. Chromium does so by itself after its process for graphics has crashed three
 * times within an hour, but forgets it: it is kept for the next start. Must be called before Electron is ready.
 */
export function prepareGraphics(choices: ChoiceFile): void {
  if (choices.current.graphics !== 'used') {
    app.commandLine.appendSwitch('disable-gpu')
    return
  }
  let crashes: number[] = []
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (type !== 'GPU' || (reason !== 'crashed' && reason !== 'abnormal-exit')) return
    const now = performance.now()
    crashes = [...crashes.filter(at => now - at < WITHIN_MS), now]
    if (crashes.length === MAX_CRASHES) keepFailed(choices)
  })
}

function keepFailed(choices: ChoiceFile): void {
  try {
    choices.change({ graphics: 'failed' })
  } catch {
    // The disk is full, say: the next start finds out again.
  }
}
