import { join } from 'node:path'
import { connectDbus, type DbusConnection, DbusError, socketPath } from './dbus.ts'

/** The Linux keyring (freedesktop's Secret Service) as it is now. */
export type SecretServiceState =
  | { kind: 'open' }
  | { kind: 'locked' }
  | { kind: 'missing'; reason: string }
  /** The bus is reached in a way that we do not speak; nothing is known. */
  | { kind: 'unknown' }

/**
 * Asks the keyring whether it is locked. keytar must not be asked first: for a locked keyring it opens a prompt and
 * waits for ever where there is a display, and answers "no such item" where there is none.
 * https://specifications.freedesktop.org/secret-service/latest/
 */
export async function secretServiceState(env: NodeJS.ProcessEnv, uid: number): Promise<SecretServiceState> {
  const address = env.DBUS_SESSION_BUS_ADDRESS
  // Chromium sets `disabled:` for its own processes where there is no session.
  if (address?.startsWith('disabled:')) return NO_SESSION
  const path = address ? socketPath(address) : env.XDG_RUNTIME_DIR && join(env.XDG_RUNTIME_DIR, 'bus')
  if (path === undefined && address) return { kind: 'unknown' }
  if (!path) return NO_SESSION
  let bus: DbusConnection | undefined
  try {
    bus = await connectDbus(path, uid)
    return await defaultCollectionState(bus)
  } catch (error) {
    if (error instanceof DbusError) return { kind: 'missing', reason: reasonOf(error) }
    throw error
  } finally {
    bus?.close()
  }
}

const NO_SESSION: SecretServiceState = {
  kind: 'missing',
  reason: 'There is no D-Bus session, so no keyring can be reached.',
}

const SERVICE = { destination: 'org.freedesktop.secrets', path: '/org/freedesktop/secrets' }

async function defaultCollectionState(bus: DbusConnection): Promise<SecretServiceState> {
  const collection = await bus.call(
    { ...SERVICE, interface: 'org.freedesktop.Secret.Service', member: 'ReadAlias' },
    'default',
  )
  if (typeof collection !== 'string' || collection === '/') {
    return { kind: 'missing', reason: 'The keyring service runs, but no default keyring has been created yet.' }
  }
  const locked = await bus.call(
    { ...SERVICE, path: collection, interface: 'org.freedesktop.DBus.Properties', member: 'Get' },
    'org.freedesktop.Secret.Collection',
    'Locked',
  )
  return { kind: locked === true ? 'locked' : 'open' }
}

function reasonOf(error: DbusError): string {
  if (error.errorName === null) return `The D-Bus session cannot be reached (${error.message}).`
  return 'No keyring service (such as GNOME Keyring, KWallet or KeePassXC) answers on this session.'
}
