import { join } from 'node:path'
import { app } from 'electron'
import type { Background } from '../ipc.ts'
import type { Quit } from '../quit.ts'
import type { ServiceHost } from '../service/host.ts'
import { Badge } from '../tray/badge.ts'
import { showsTrays } from '../tray/host.ts'
import { AppTray } from '../tray/tray.ts'
import type { Windows } from '../window/windows.ts'
import { refreshAutostart, setStartsAtLogin, startsAtLogin } from './autostart.ts'
import { type ChoiceFile, parseChoices } from './choices.ts'

export interface AppBackgroundOptions {
  choices: ChoiceFile
  env: NodeJS.ProcessEnv
  host: ServiceHost
  quit: Quit
  /** The folder of what the build adds. */
  resources: string
  windows: Windows
}

/** What the app is beside its windows: its icon in the tray, the number on its own icon, and its start at log-in. */
export class AppBackground {
  readonly #options: AppBackgroundOptions
  readonly #tray: AppTray
  readonly #badge: Badge

  constructor(options: AppBackgroundOptions) {
    this.#options = options
    const { choices, env, host, quit, resources, windows } = options
    const icons = join(resources, 'tray')
    this.#badge = new Badge(windows, icons, env)
    this.#tray = new AppTray({
      icons,
      activity: host.activity,
      quitsWhenFinished: quit.isAwaited,
      actions: {
        open: () => windows.show(),
        newTask: () => windows.show('/'),
        showConversation: id => windows.showConversation(id),
        quit: () => app.quit(),
        stay: quit.stay,
      },
    })
    this.#tray.setThere(choices.current.tray)
    host.onActivity(() => this.refresh())
    app.on('browser-window-created', () => this.#badge.onWindow())
    if (app.isPackaged) refreshAutostart(env)
  }

  /** Says again what has changed, and in the language of the moment. */
  refresh(): void {
    this.#tray.refresh()
    this.#badge.set(this.#options.host.activity().waiting.length)
  }

  async state(): Promise<Background> {
    const { choices, env } = this.#options
    return {
      ...choices.current,
      startAtLogin: app.isPackaged && startsAtLogin(env),
      showsTrays: await showsTrays(env),
      canStartAtLogin: app.isPackaged,
    }
  }

  /** @param change of the choices; what makes no sense in it is left out @throws in words when it cannot be kept */
  async change(change: unknown): Promise<Background> {
    const { choices, env } = this.#options
    choices.change(parseChoices(change))
    this.#tray.setThere(choices.current.tray)
    const { startAtLogin } = (typeof change === 'object' && change !== null ? change : {}) as Record<string, unknown>
    if (typeof startAtLogin === 'boolean' && app.isPackaged) setStartsAtLogin(startAtLogin, env)
    return this.state()
  }

  /** Resolves when somebody can see the icon in the tray. After a log-in the panel may come later than the app. @returns false when none has come */
  async isSeen(): Promise<boolean> {
    for (const end = performance.now() + PANEL_MS; this.#tray.isThere && performance.now() < end; ) {
      if (await showsTrays(this.#options.env)) return true
      await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS))
    }
    return false
  }
}

const PANEL_MS = 20_000
const LOOK_EVERY_MS = 1_000
