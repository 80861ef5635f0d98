import { join } from 'node:path'
import { Menu, nativeImage, Tray } from 'electron'
import type { Activity } from '../service/calls.ts'
import { type TrayActions, trayMenu, trayState, trayTooltip } from './menu.ts'

export interface AppTrayOptions {
  /** The folder of the pictures. */
  icons: string
  activity: () => Activity
  /** Whether the app quits once no agent works. */
  quitsWhenFinished: () => boolean
  actions: TrayActions
}

/** The icon in the tray, with what works and what waits. */
export class AppTray {
  readonly #options: AppTrayOptions
  #tray: Tray | undefined
  /** What it shows, as text. A menu that is set anew closes under a person's hand, so it is set only when it differs. */
  #shown = ''

  constructor(options: AppTrayOptions) {
    this.#options = options
  }

  get isThere(): boolean {
    return this.#tray !== undefined
  }

  /** Where a desktop has no tray nothing is seen, and nothing fails. */
  setThere(isThere: boolean): void {
    if (isThere === this.isThere) return
    if (!isThere) {
      this.#tray?.destroy()
      this.#tray = undefined
      return
    }
    this.#shown = ''
    this.#tray = new Tray(this.#icon(trayState(this.#options.activity())))
    this.#tray.on('click', () => this.#options.actions.open())
    this.refresh()
  }

  refresh(): void {
    if (!this.#tray) return
    const { activity, quitsWhenFinished, actions } = this.#options
    const now = activity()
    const menu = trayMenu(now, actions, quitsWhenFinished())
    const tooltip = trayTooltip(now)
    const shown = JSON.stringify([tooltip, menu])
    if (shown === this.#shown) return
    this.#shown = shown
    this.#tray.setImage(this.#icon(trayState(now)))
    this.#tray.setToolTip(tooltip)
    this.#tray.setContextMenu(Menu.buildFromTemplate(menu))
  }

  /** macOS draws its own colours into a template. */
  #icon(name: string) {
    const file = process.platform === 'darwin' ? `${name}Template.png` : `${name}.png`
    return nativeImage.createFromPath(join(this.#options.icons, file))
  }
}
