import type { KeychainStatus } from '../../api/v1/system/system.ts'
import type { ChildPort } from '../keychain/child-port.ts'
import { createKeychain } from '../keychain/keychain.ts'
import { keychainInstance } from './instance.ts'
import type { SecretLog } from './log.ts'
import { createSessionVault, type SessionVault } from './session.ts'
import type { Vault } from './vault.ts'

export interface OpenVaultOptions {
  spawnChild: () => ChildPort
  dataDir: string
  /** The data folder when nothing is set: only that one uses the plain names in the keychain. */
  defaultDataDir: string
  /** `ATELIER_VAULT=session` keeps secrets in memory without asking the keychain. */
  env: NodeJS.ProcessEnv
  log: SecretLog
  timeoutMs?: number
}

/**
 * The keychain, or memory when this computer has none. A locked keychain is still the place for secrets: it stays, and
 * says so until it is unlocked.
 */
export async function openVault(options: OpenVaultOptions): Promise<Vault> {
  const { spawnChild, env, log, timeoutMs = defaultTimeoutMs() } = options
  if (env.ATELIER_VAULT === 'session') {
    const reason = 'Keys are kept in memory until Atelier ends, as ATELIER_VAULT=session asks.'
    return createSessionVault({ state: 'missing', reason })
  }
  const instance = keychainInstance(options.dataDir, options.defaultDataDir)
  const keychain = createKeychain({ spawnChild, service: 'Atelier', instance, timeoutMs, log })
  const status = await keychain.status()
  log.info({ state: status.state, reason: status.reason }, 'Keychain')
  return status.state === 'ready' || status.state === 'locked' ? keychain : createTemporaryVault(keychain, status, log)
}

/** macOS asks the user in a dialog of its own, which takes a person's time; elsewhere nothing should wait. */
function defaultTimeoutMs(): number {
  return process.platform === 'darwin' ? 60_000 : 5_000
}

/** Memory for as long as the keychain cannot be used. Once it can, what was kept moves there. */
function createTemporaryVault(keychain: Vault, status: KeychainStatus, log: SecretLog): Vault {
  const session = createSessionVault(status)
  let current: Vault = session
  let checking: Promise<KeychainStatus> | undefined
  const checkOnce = (): Promise<KeychainStatus> => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }
  const check = async (): Promise<KeychainStatus> => {
    const now = await keychain.status()
    if (current === keychain) return now
    if (now.state !== 'ready') return { ...now, storage: 'session-only' }
    await moveAll(session, keychain)
    current = keychain
    await session.close()
    log.info('The keychain can be used now; keys kept in memory were moved there')
    return now
  }
  return {
    get: name => current.get(name),
    set: (name, value) => current.set(name, value),
    delete: name => current.delete(name),
    clear: () => current.clear(),
    status: checkOnce,
    requestUnlock: async signal => {
      await keychain.requestUnlock(signal)
      return checkOnce()
    },
    close: async () => {
      await session.close()
      await keychain.close()
    },
  }
}

/** What is set or deleted while this runs is followed; reads find their values in memory until the end. */
async function moveAll(session: SessionVault, keychain: Vault): Promise<void> {
  const moved = new Map<string, string>()
  for (;;) {
    const kept = new Map(session.entries())
    const changed = [...kept].filter(([name, value]) => moved.get(name) !== value)
    const gone = [...moved.keys()].filter(name => !kept.has(name))
    if (changed.length === 0 && gone.length === 0) return
    for (const [name, value] of changed) {
      await keychain.set(name, value)
      moved.set(name, value)
    }
    for (const name of gone) {
      await keychain.delete(name)
      moved.delete(name)
    }
  }
}
