import { app } from 'electron'
import type { Opening } from './start.ts'

/** What the system hands to the app itself, as macOS does, and not to a second start of it. */
export interface HandedOver {
  /** The newest so far. */
  first(): Opening | undefined
  onNext(open: (opening: Opening) => void): void
}

/** Must be called before the app is ready: the first comes before that. */
export function hearSystem(): HandedOver {
  let newest: Opening | undefined
  let open = (opening: Opening): void => {
    newest = opening
  }
  app.on('open-url', (event, link) => {
    event.preventDefault()
    open({ link })
  })
  app.on('open-file', (event, folder) => {
    event.preventDefault()
    open({ folder })
  })
  return {
    first: () => newest,
    onNext: next => {
      open = next
    },
  }
}
