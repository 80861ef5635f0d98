import { randomUUID } from 'node:crypto'
import { connectDbus, type DbusConnection, DbusError, sessionBusPath } from '../../server/dbus/connection.ts'
import { Writer } from '../../server/dbus/wire.ts'

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
  readonly #shown = new Map<number, Shown>()
  #server: Promise<Server> | undefined

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  /** Resolves when the desktop shows it. Rejects where none does. */
  async show({ title, body, actions, onAction }: ShownNotification): Promise<void> {
    this.#server ??= this.#connect()
    const asked = this.#server
    try {
      const { bus, hasMarkup } = await asked
      // Ids are small numbers that another service would use again: what is pressed is known by a word that nobody guesses.
      const keys = new Map(actions.map(([key]) => [key === DEFAULT ? key : `${key}-${randomUUID()}`, key]))
      const buttons = [...keys.keys()].map((word, index) => [word, actions[index]?.[1] ?? ''] as const)
      const shown = { title, body: hasMarkup ? escaped(body) : body, actions: buttons }
      const call = { ...NOTIFICATIONS, member: 'Notify', signature: 'susssasa{sv}i', body: bodyOf(shown) }
      const id = await inTime(bus, bus.call(call))
      if (typeof id === 'number') this.#shown.set(id, { keys, onAction })
    } catch (error) {
      // A refusal is of this one alone. Else the next one is tried anew: a desktop may have begun to show them.
      const isRefusal = error instanceof DbusError && error.errorName !== null
      if (!isRefusal && this.#server === asked) this.#server = undefined
      throw error
    }
  }

  async #connect(): Promise<Server> {
    const path = sessionBusPath(this.#env)
    if (!path) throw new Error('There is no session bus.')
    const bus = await connectDbus(path, process.getuid?.() ?? 0)
    try {
      await inTime(
        bus,
        bus.listen(NOTIFICATIONS.interface, (member, values) => this.#heard(bus, member, values)),
      )
      const can = await inTime(bus, bus.call({ ...NOTIFICATIONS, member: 'GetCapabilities' }))
      bus.onClose(() => {
        this.#server = undefined
        this.#shown.clear()
      })
      return { bus, hasMarkup: Array.isArray(can) && can.includes('body-markup') }
    } catch (error) {
      bus.close()
      throw error
    }
  }

  #heard(bus: DbusConnection, member: string, [id, word]: readonly unknown[]): void {
    const shown = typeof id === 'number' ? this.#shown.get(id) : undefined
    if (!shown) return
    if (member === 'NotificationClosed') this.#shown.delete(Number(id))
    const key = member === 'ActionInvoked' ? shown.keys.get(String(word)) : undefined
    if (key === undefined) return
    this.#shown.delete(Number(id))
    shown.onAction(key)
    // Some desktops leave it there; where it has gone already, that is as well.
    bus
      .call({ ...NOTIFICATIONS, member: 'CloseNotification', signature: 'u', body: uint32(Number(id)) })
      .catch(() => {})
  }
}

interface Shown {
  /** By the word that stands for it on the bus. */
  keys: ReadonlyMap<string, string>
  onAction: ShownNotification['onAction']
}

/** A click on the notification itself, as the specification names it. */
export const DEFAULT = 'default'

const ANSWER_MS = 10_000

/** A service that does not answer is left: whoever waits for it would wait for ever. */
async function inTime<T>(bus: DbusConnection, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => bus.close(), ANSWER_MS).unref()
  return answer.finally(() => clearTimeout(timer))
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
