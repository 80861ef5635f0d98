import { connectDbus, type DbusConnection, sessionBusPath } from '../../server/secret/dbus/dbus.ts'
import { Writer } from '../../server/secret/dbus/wire.ts'

export interface ShownNotification {
  title: string
  body: string
  /** Key and label of each button; the key `default` stands for a click on the notification itself. */
  actions: readonly (readonly [key: string, label: string])[]
  /** Told the key. */
  onAction: (key: string) => void
}

/**
 * Notifications of a Linux desktop: Electron's have no buttons there. The connection stays open, for the answers.
 * https://specifications.freedesktop.org/notification-spec/latest/
 */
export class LinuxNotifications {
  readonly #env: NodeJS.ProcessEnv
  readonly #shown = new Map<number, ShownNotification['onAction']>()
  #server: Promise<Server> | undefined

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  /** Resolves when the desktop shows it. Rejects where none does. */
  async show({ title, body, actions, onAction }: ShownNotification): Promise<void> {
    this.#server ??= this.#connect()
    try {
      const { bus, hasMarkup } = await this.#server
      const shown = { title, body: hasMarkup ? escaped(body) : body, actions }
      const id = await bus.call({ ...NOTIFICATIONS, member: 'Notify', signature: 'susssasa{sv}i', body: bodyOf(shown) })
      if (typeof id === 'number') this.#shown.set(id, onAction)
    } catch (error) {
      // The next one is tried anew: a desktop may have begun to show them.
      this.#server = undefined
      throw error
    }
  }

  async #connect(): Promise<Server> {
    const path = sessionBusPath(this.#env)
    if (!path) throw new Error('There is no session bus.')
    const bus = await connectDbus(path, process.getuid?.() ?? 0)
    bus.onClose(() => {
      this.#server = undefined
      this.#shown.clear()
    })
    try {
      await bus.listen(NOTIFICATIONS.interface, (member, [id, key]) => {
        const onAction = typeof id === 'number' ? this.#shown.get(id) : undefined
        if (!onAction) return
        if (member === 'ActionInvoked') {
          onAction(String(key))
          // Some desktops leave it there; where it has gone already, that is as well.
          bus
            .call({ ...NOTIFICATIONS, member: 'CloseNotification', signature: 'u', body: uint32(Number(id)) })
            .catch(() => {})
        }
        if (member === 'NotificationClosed') this.#shown.delete(Number(id))
      })
      const can = await bus.call({ ...NOTIFICATIONS, member: 'GetCapabilities' })
      return { bus, hasMarkup: Array.isArray(can) && can.includes('body-markup') }
    } catch (error) {
      bus.close()
      throw error
    }
  }
}

interface Server {
  bus: DbusConnection
  /** Whether a text is taken for markup. */
  hasMarkup: boolean
}

const NOTIFICATIONS = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
}

/** How long it is shown is the desktop's to say. */
const USUAL_TIME = 0xffffffff

function bodyOf({ title, body, actions }: Pick<ShownNotification, 'title' | 'body' | 'actions'>): Buffer {
  const buttons = new Writer()
  for (const part of actions.flat()) buttons.text(part)
  const hints = new Writer()
  hints.text('desktop-entry')
  hints.signature('s')
  hints.text('atelier')
  const writer = new Writer()
  writer.text('Atelier')
  writer.uint32(0) // replaces none
  for (const text of ['atelier', title, body]) writer.text(text)
  writer.array(buttons, 4)
  writer.array(hints, 8)
  writer.uint32(USUAL_TIME)
  return writer.buffer()
}

function uint32(value: number): Buffer {
  const writer = new Writer()
  writer.uint32(value)
  return writer.buffer()
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
