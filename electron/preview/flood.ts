import type { WebContents } from 'electron'

/**
 * What a page may tell of itself in a time. Each word of it takes time of the app's main process and of the window, so that a
 * page that writes to its console without end would hold up everything.
 */
const LIMITS = { ms: 5_000, events: 5_000, characters: 20_000_000 }

/**
 * Ends the process of a page that tells too much of itself; the window shows that it is gone.
 * @returns what counts something more, by its length
 */
export function endFloods(contents: WebContents): (length: number) => void {
  let since = 0
  let events = 0
  let characters = 0
  const count = (length: number): void => {
    const now = Date.now()
    if (now - since > LIMITS.ms) {
      since = now
      events = 0
      characters = 0
    }
    events += 1
    characters += length
    if (events <= LIMITS.events && characters <= LIMITS.characters) return
    if (!contents.isDestroyed() && !contents.isCrashed()) contents.forcefullyCrashRenderer()
  }
  // The event itself has the message from Electron 35 on; before, it was an argument behind it.
  contents.on('console-message', ({ message }, _level, argument) => count((message ?? argument).length))
  contents.on('page-title-updated', (_event, title) => count(title.length))
  contents.on('page-favicon-updated', (_event, icons) => count(icons.join('').length))
  contents.on('did-start-navigation', ({ url }) => count(url.length))
  contents.on('did-fail-provisional-load', () => count(0))
  contents.on('update-target-url', (_event, url) => count(url.length))
  return count
}
