import type { KeychainStatus } from '../api/v1/system/system.ts'
import type { Vault } from '../secret/vault/vault.ts'
import { type Check, type Found, factsOf } from './check.ts'

export const keychainCheck =
  (vault: Pick<Vault, 'status'>): Check =>
  async () => {
    const { state, storage, reason } = await vault.status()
    return { ...KEYCHAIN[state], facts: factsOf({ storage, reason }) }
  }

const KEYCHAIN: Readonly<Record<KeychainStatus['state'], Found>> = {
  ready: { state: 'ok', finding: 'keychain_open' },
  locked: { state: 'problem', finding: 'keychain_locked', action: 'unlock_keychain' },
  missing: { state: 'warning', finding: 'keychain_missing', action: 'check_again' },
  failed: { state: 'problem', finding: 'keychain_failed', action: 'check_again' },
}
