import { connectDbus, type DbusConnection, sessionBusPath } from '../../server/dbus/connection.ts'

/**
 * Whether this desktop shows icons in a tray. On Linux a panel says so on the session's bus; the tray of X11 alone, which nobody can be
 * asked about, counts as none.
 * https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/StatusNotifierWatcher/
 */
export async function showsTrays(env: NodeJS.ProcessEnv): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const late = new Promise<false>(resolve => setTimeout(resolve, ANSWER_MS, false).unref())
  // Whatever is wrong with the bus, the window can be closed.
  return Promise.race([hasHost(env).catch(() => false), late])
}

/** A panel that hangs shows nothing. */
const ANSWER_MS = 1_000

async function hasHost(env: NodeJS.ProcessEnv): Promise<boolean> {
  const path = sessionBusPath(env)
  if (!path) return false
  let bus: DbusConnection | undefined
  try {
    bus = await connectDbus(path, process.getuid?.() ?? 0)
    const property = { ...WATCHER, interface: 'org.freedesktop.DBus.Properties', member: 'Get' }
    return (await bus.call(property, WATCHER.destination, 'IsStatusNotifierHostRegistered')) === true
  } finally {
    bus?.close()
  }
}

const WATCHER = { destination: 'org.kde.StatusNotifierWatcher', path: '/StatusNotifierWatcher' }
