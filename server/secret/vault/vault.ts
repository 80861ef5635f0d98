import type { KeychainStatus } from '../../api/v1/system/system.ts'

/**
 * Where secret values live. Names are ours (`llm_api_key`, `session_api_key`); values are never logged.
 * @throws AppError keychain_locked, keychain_missing (no service answers) or keychain_failed
 */
export interface Vault {
  get(name: string): Promise<string | null>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
  /** Deletes everything of this data folder. */
  clear(): Promise<void>
  /** Asks again, so that a keyring unlocked meanwhile is noticed. */
  status(): Promise<KeychainStatus>
  /** Lets the desktop ask the person for a locked keychain's password, and waits for the answer. */
  requestUnlock(signal: AbortSignal): Promise<KeychainStatus>
  close(): Promise<void>
}
