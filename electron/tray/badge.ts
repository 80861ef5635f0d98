import { join } from 'node:path'
import { app, nativeImage } from 'electron'
import { connectDbus, type DbusConnection, sessionBusPath } from '../../server/dbus/connection.ts'
import { Writer } from '../../server/dbus/wire.ts'
import { t } from '../text.ts'
import type { Windows } from '../window/windows.ts'

/** How many conversations wait for a person, on the app's own icon where the system has that. */
export class Badge {
  readonly #windows: Windows
  readonly #icons: string
  readonly #launchers: Launchers | undefined
  #count = 0

  /** @param icons the folder of the pictures */
  constructor(windows: Windows, icons: string, env: NodeJS.ProcessEnv) {
    this.#windows = windows
    this.#icons = icons
    this.#launchers = process.platform === 'linux' ? new Launchers(env) : undefined
  }

  set(count: number): void {
    if (count === this.#count) return
    this.#count = count
    if (process.platform === 'darwin') app.setBadgeCount(count)
    else if (this.#launchers) this.#launchers.tell(count)
    else this.onWindow()
  }

  /** Windows shows it on each window, so one that opens later gets it too. */
  onWindow(): void {
    if (process.platform !== 'win32') return
    const overlay = this.#count === 0 ? null : nativeImage.createFromPath(join(this.#icons, 'overlay.png'))
    this.#windows.any()?.setOverlayIcon(overlay, t('agentsWait', { count: this.#count }))
  }
}

/**
 * Tells the docks and panels of Linux. The connection stays open, since they forget what was said by one that is gone.
 * https://wiki.ubuntu.com/Unity/LauncherAPI#Low_level_DBus_API:_com.canonical.Unity.LauncherEntry
 */
class Launchers {
  readonly #env: NodeJS.ProcessEnv
  #bus: DbusConnection | undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  tell(count: number): void {
    this.#turn = this.#turn
      .then(() => this.#emit(count))
      .catch(() => {
        // The session's bus is gone, or there is none: nobody shows a number.
        this.#bus?.close()
        this.#bus = undefined
      })
  }

  async #emit(count: number): Promise<void> {
    const path = sessionBusPath(this.#env)
    if (!path) return
    this.#bus ??= await connectDbus(path, process.getuid?.() ?? 0)
    await this.#bus.emit({ ...LAUNCHER_ENTRY, signature: 'sa{sv}', body: bodyOf(count) })
  }
}

const LAUNCHER_ENTRY = {
  path: '/dev/atelier/app',
  interface: 'com.canonical.Unity.LauncherEntry',
  member: 'Update',
}

const DESKTOP_ENTRY = 'application://atelier.desktop'

function bodyOf(count: number): Buffer {
  const properties = new Writer()
  properties.text('count')
  properties.signature('x')
  properties.int64(count)
  properties.align(8)
  properties.text('count-visible')
  properties.signature('b')
  properties.uint32(count > 0 ? 1 : 0)
  const body = new Writer()
  body.text(DESKTOP_ENTRY)
  body.array(properties, 8)
  return body.buffer()
}
