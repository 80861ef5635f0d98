import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectDbus } from '../../../server/dbus/connection.ts'
import { secretServiceState } from '../../../server/secret/keychain/secret-service.ts'
import { endProgram, programFailure, startBus } from '../desktop/bus-daemon.ts'

export interface SecretService {
  /** The whole environment for a process that is to use this keyring and nothing of the machine's own. */
  env: NodeJS.ProcessEnv
  lock(): Promise<void>
  /** A keyring is unlocked by its daemon at start, so this starts another on the same bus. */
  unlock(): Promise<void>
  /** Ends the keyring; the bus goes on without one. */
  stopKeyring(): Promise<void>
  close(): Promise<void>
}

/** A bus and a GNOME Keyring of one's own, with a keyring in a new home folder. Nothing is ever prompted for. */
export async function startSecretService(options: { locked?: boolean } = {}): Promise<SecretService> {
  const home = mkdtempSync(join(tmpdir(), 'atelier-keyring-'))
  const folders = { data: join(home, 'data'), config: join(home, 'config'), runtime: join(home, 'run') }
  for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 })
  const socket = join(home, 'bus')
  const { DISPLAY: _x, WAYLAND_DISPLAY: _w, GNOME_KEYRING_CONTROL: _k, ...inherited } = process.env
  const env: NodeJS.ProcessEnv = {
    ...inherited,
    HOME: home,
    XDG_DATA_HOME: folders.data,
    XDG_CONFIG_HOME: folders.config,
    XDG_RUNTIME_DIR: folders.runtime,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}`,
  }
  const { bus } = await startBus(home, env)
  let keyring: ChildProcess | undefined
  const stopKeyring = async (): Promise<void> => {
    if (keyring) await endProgram(keyring)
    keyring = undefined
  }
  const unlock = async (): Promise<void> => {
    await stopKeyring()
    keyring = await startKeyring(env)
  }
  const service: SecretService = {
    env,
    unlock,
    stopKeyring,
    lock: () => lockKeyring(env, socket),
    close: async () => {
      await stopKeyring()
      await endProgram(bus)
      rmSync(home, { recursive: true, force: true })
    },
  }
  await unlock()
  if (options.locked) await service.lock()
  return service
}

async function startKeyring(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const args = ['--foreground', '--unlock', '--components=secrets']
  const keyring = spawn('gnome-keyring-daemon', args, { env, stdio: ['pipe', 'ignore', 'ignore'] })
  const failed = programFailure(keyring, 'gnome-keyring-daemon')
  keyring.stdin.end('not empty')
  await Promise.race([untilOpen(env), failed])
  return keyring
}

/** The daemon says nothing when it is ready, so it is asked. */
async function untilOpen(env: NodeJS.ProcessEnv): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if ((await secretServiceState(env, userId())).kind === 'open') return
    await delay(10)
  }
  throw new Error('gnome-keyring-daemon did not open its keyring within 5 s.')
}

async function lockKeyring(env: NodeJS.ProcessEnv, socket: string): Promise<void> {
  const bus = await connectDbus(socket, userId())
  try {
    const keyring = { destination: 'org.gnome.keyring', path: '/org/freedesktop/secrets' }
    await bus.call({ ...keyring, interface: 'org.freedesktop.Secret.Service', member: 'LockService' })
  } finally {
    bus.close()
  }
  const state = await secretServiceState(env, userId())
  if (state.kind !== 'locked') throw new Error(`The keyring was to be locked and is ${state.kind}.`)
}

function userId(): number {
  const uid = process.getuid?.()
  if (uid === undefined) throw new Error('The Secret Service is a part of Linux.')
  return uid
}
