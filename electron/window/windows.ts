import type { BrowserWindow } from 'electron'
import { bringToFront } from './front.ts'
import { openWindow, showPage, type WindowFiles } from './window.ts'

/** One that keeps opening them would bring the desktop down. */
const MAX_WINDOWS = 20

/** The main window, and those that show a conversation each. */
export class Windows {
  readonly #files: WindowFiles
  readonly #goesOn: () => Promise<boolean>
  #main: BrowserWindow | undefined
  readonly #beside = new Set<BrowserWindow>()

  /** @param goesOn whether the app goes on in the tray when the main window is closed */
  constructor(files: WindowFiles, goesOn: () => Promise<boolean>) {
    this.#files = files
    this.#goesOn = goesOn
  }

  /** The main one, or any other where that is closed. */
  any(): BrowserWindow | undefined {
    return this.#main ?? [...this.#beside][0]
  }

  /** Brings the main window to the front, or opens it. */
  show(route?: string): BrowserWindow {
    if (this.#main) {
      bringToFront(this.#main)
      if (route !== undefined) showPage(this.#main, route)
      return this.#main
    }
    return this.#openMain({ route })
  }

  /** Opens the main window where nobody sees it: its page tells the desktop what the agents do. */
  openHidden(): BrowserWindow {
    return this.#main ?? this.#openMain({ route: undefined, isHidden: true })
  }

  #openMain(opened: { route: string | undefined; isHidden?: boolean }): BrowserWindow {
    const window = openWindow(this.#files, opened)
    this.#main = window
    let isClosing = false
    // Hidden it goes on telling the desktop what the agents do, and comes back with what was typed in it.
    const hideOrClose = async (): Promise<void> => {
      const goesOn = await this.#goesOn()
      if (isClosing || window.isDestroyed()) return
      if (goesOn) return window.hide()
      isClosing = true
      window.close()
    }
    window.on('close', event => {
      if (isClosing) return
      event.preventDefault()
      void hideOrClose()
    })
    window.once('closed', () => {
      this.#main = undefined
    })
    return window
  }

  /** In a window of its own; the one that shows it already comes to the front. */
  openConversation(id: string): void {
    const open = this.#showing(id)
    if (open) return bringToFront(open)
    if (this.#beside.size >= MAX_WINDOWS) return
    const window = openWindow(this.#files, { route: routeOf(id), beside: this.#main ?? null })
    this.#beside.add(window)
    window.once('closed', () => this.#beside.delete(window))
  }

  /** Where it is shown already, or in the main window. */
  showConversation(id: string): void {
    const open = this.#showing(id)
    if (open) bringToFront(open)
    else this.show(routeOf(id))
  }

  /** Says something to every page. */
  send(channel: string, value: unknown): void {
    for (const window of [this.#main, ...this.#beside]) window?.webContents.send(channel, value)
  }

  /** Every page again, where it is. */
  reload(): void {
    for (const window of [this.#main, ...this.#beside]) window?.webContents.reload()
  }

  #showing(id: string): BrowserWindow | undefined {
    return [...this.#beside].find(
      ({ webContents }) => new URL(webContents.getURL()).hash.split('?')[0] === `#${routeOf(id)}`,
    )
  }

  /** The one whose page that is; undefined for any other. */
  withContents(id: number): BrowserWindow | undefined {
    return [this.#main, ...this.#beside].find(window => window?.webContents.id === id)
  }
}

function routeOf(conversation: string): string {
  return `/conversations/${conversation}`
}
