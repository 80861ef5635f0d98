import type { KeychainStatus } from '../../server/api/v1/system/system.ts'

/** What is wrong with the keychain. */
export const KEYCHAIN_PROBLEMS: Record<Exclude<KeychainStatus['state'], 'ready'>, string> = {
  locked: 'The keychain is locked.',
  missing: 'No keychain is available.',
  failed: 'The keychain does not work.',
}

/** Where keys are meanwhile. */
export const KEY_STORAGE: Record<KeychainStatus['storage'], string> = {
  keychain: 'Stored keys cannot be read until it is unlocked.',
  'session-only':
    'Keys are kept in memory only and are gone when Atelier quits. They are never written to disk unencrypted.',
}
