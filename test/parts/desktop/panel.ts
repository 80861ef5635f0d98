import { Variant } from '@jellybrick/dbus-next'
import { expect } from 'vitest'
import { type BusProgram, joinBus, listen } from './bus.ts'

interface MenuLine {
  id: number
  label: string
  isEnabled: boolean
}

export interface Panel {
  /** Whether an icon is there. */
  hasIcon(): boolean
  tooltip(): Promise<string>
  /** The picture in its largest size, as bytes of ARGB in hexadecimal. */
  picture(): Promise<string>
  /** The lines of the menu; separators are left out. */
  menu(): Promise<MenuLine[]>
  /** Chooses the line with that label. */
  choose(label: string): Promise<void>
  /** What the docks were last told of the app's own icon. */
  badge(): { entry: string; count: number; isVisible: boolean } | undefined
  close(): void
}

const WATCHER = 'org.kde.StatusNotifierWatcher'
const PROPERTIES = 'org.freedesktop.DBus.Properties'

/** A panel of a desktop, as GNOME, KDE and others have it: it shows the icons of programs, and numbers on their own. */
export async function startPanel(address: string): Promise<Panel> {
  let item: { destination: string; path: string } | undefined
  let badge: ReturnType<Panel['badge']>
  const properties: Record<string, Variant> = {
    IsStatusNotifierHostRegistered: new Variant('b', true),
    RegisteredStatusNotifierItems: new Variant('as', []),
    ProtocolVersion: new Variant('i', 0),
  }
  const program: BusProgram = await joinBus(address, WATCHER, {
    [`${PROPERTIES}.Get`]: ({ body }) => ['v', [properties[String(body[1])]]],
    [`${PROPERTIES}.GetAll`]: () => ['a{sv}', [properties]],
    [`${WATCHER}.RegisterStatusNotifierItem`]: ({ sender, body }) => {
      const named = String(body[0])
      // A name with the usual path, or a path of whoever says so.
      const isPath = named.startsWith('/')
      item = { destination: isPath ? String(sender) : named, path: isPath ? named : '/StatusNotifierItem' }
      return ['', []]
    },
  })
  await listen(program, "interface='com.canonical.Unity.LauncherEntry'", ({ member, body }) => {
    if (member !== 'Update') return
    const { count, 'count-visible': isVisible } = body[1] as Record<string, Variant>
    badge = { entry: String(body[0]), count: Number(count?.value), isVisible: isVisible?.value === true }
  })
  await listen(program, "interface='org.freedesktop.DBus',member='NameOwnerChanged'", ({ member, body }) => {
    if (member === 'NameOwnerChanged' && body[0] === item?.destination && body[2] === '') item = undefined
  })
  const iconOf = async (): Promise<{ destination: string; path: string }> => {
    await expect.poll(() => item).toBeDefined()
    if (!item) throw new Error('There is no icon.')
    return item
  }
  const property = async (name: string): Promise<unknown> => {
    const { destination, path } = await iconOf()
    const [value] = await program.call(destination, path, `${PROPERTIES}.Get`, 'ss', [
      'org.kde.StatusNotifierItem',
      name,
    ])
    return (value as Variant).value
  }
  const menu = async (): Promise<MenuLine[]> => {
    const { destination } = await iconOf()
    const path = String(await property('Menu'))
    const [, layout] = await program.call(destination, path, 'com.canonical.dbusmenu.GetLayout', 'iias', [0, -1, []])
    return linesOf(layout as Layout)
  }
  return {
    hasIcon: () => item !== undefined,
    tooltip: async () => String(((await property('ToolTip')) as unknown[])[2]),
    picture: async () => {
      const sizes = (await property('IconPixmap')) as [number, number, Buffer][]
      const largest = sizes.reduce((one, other) => (other[0] > one[0] ? other : one))
      return Buffer.from(largest[2]).toString('hex')
    },
    menu,
    choose: async label => {
      const line = (await menu()).find(each => each.label === label)
      if (!line) throw new Error(`The menu has no line "${label}".`)
      const { destination } = await iconOf()
      const path = String(await property('Menu'))
      const event = [line.id, 'clicked', new Variant('i', 0), 0]
      await program.call(destination, path, 'com.canonical.dbusmenu.Event', 'isvu', event)
    },
    badge: () => badge,
    close: program.close,
  }
}

type Layout = [id: number, properties: Record<string, Variant>, children: Variant<Layout>[]]

function linesOf([, , children]: Layout): MenuLine[] {
  return children.flatMap(({ value: [id, properties] }) => {
    if (properties.type?.value === 'separator') return []
    // An underscore marks the letter of a key, and two are one.
    const label = String(properties.label?.value ?? '').replaceAll(/_(_?)/g, '$1')
    return [{ id, label, isEnabled: properties.enabled?.value !== false }]
  })
}
