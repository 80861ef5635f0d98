import { setTimeout as delay } from 'node:timers/promises'
import { connectDbus, type DbusConnection, DbusError, sessionBusPath } from '../../dbus/connection.ts'

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
  const path = sessionBusPath(env)
  if (path === undefined) return { kind: 'unknown' }
  if (path === null) return NO_SESSION
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

/** GNOME Keyring loses sight of a keyring for a moment when it has written it; one that never comes is missing. */
const ABSENT_MS = 500
const ASK_AGAIN_MS = 20

async function defaultCollectionState(bus: DbusConnection): Promise<SecretServiceState> {
  let collection = await defaultCollection(bus)
  const until = performance.now() + ABSENT_MS
  while (collection === undefined && performance.now() < until) {
    await delay(ASK_AGAIN_MS)
    collection = await defaultCollection(bus)
  }
  if (collection === undefined) {
    return { kind: 'missing', reason: 'The keyring service runs, but no default keyring has been created yet.' }
  }
  const locked = await bus.call(
    { ...SERVICE, path: collection, interface: 'org.freedesktop.DBus.Properties', member: 'Get' },
    'org.freedesktop.Secret.Collection',
    'Locked',
  )
  return { kind: locked === true ? 'locked' : 'open' }
}

async function defaultCollection(bus: DbusConnection): Promise<string | undefined> {
  const call = { ...SERVICE, interface: 'org.freedesktop.Secret.Service', member: 'ReadAlias' }
  const path = await bus.call(call, 'default')
  return typeof path === 'string' && path !== '/' ? path : undefined
}

function reasonOf(error: DbusError): string {
  if (error.errorName === null) return `The D-Bus session cannot be reached (${error.message}).`
  return 'No keyring service (such as GNOME Keyring, KWallet or KeePassXC) answers on this session.'
}
