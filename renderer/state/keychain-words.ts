import type { KeychainStatus } from '../../server/api/v1/system/system.ts'
import { t } from './text.ts'

/** What is wrong with the keychain. */
export const KEYCHAIN_PROBLEMS: Record<Exclude<KeychainStatus['state'], 'ready'>, string> = {
  locked: t('keychainIsLocked'),
  missing: t('noKeychainIsAvailable'),
  failed: t('keychainDoesNotWork'),
}

/** Where keys are meanwhile. */
export const KEY_STORAGE: Record<KeychainStatus['storage'], string> = {
  keychain: t('storedKeysCannotBeRead'),
  'session-only': t('keysAreKeptInMemory'),
}
