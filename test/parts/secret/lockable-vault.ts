import type { IN_VAULT } from '../../../server/api/contract/failures.ts'
import { AppError } from '../../../server/domain/errors.ts'
import { createSessionVault, type SessionVault } from '../../../server/secret/vault/session.ts'

/** A vault in memory that a test can lock, from now on or after so many more writes. */
export interface LockableVault extends SessionVault {
  lock(afterWrites?: number, code?: (typeof IN_VAULT)[number]): void
  unlock(): void
}

export function createLockableVault(): LockableVault {
  const vault = createSessionVault({ state: 'ready', reason: null })
  let writesLeft = Number.POSITIVE_INFINITY
  let refusal: (typeof IN_VAULT)[number] = 'keychain_locked'
  const refuse = () => {
    throw new AppError(refusal, 'The keychain of this computer is locked. Unlock it, then try again.')
  }
  return {
    ...vault,
    get: async name => (writesLeft <= 0 ? refuse() : vault.get(name)),
    set: async (name, value) => (writesLeft-- <= 0 ? refuse() : vault.set(name, value)),
    delete: async name => (writesLeft <= 0 ? refuse() : vault.delete(name)),
    lock: (afterWrites = 0, code = 'keychain_locked') => {
      refusal = code
      writesLeft = afterWrites
    },
    unlock: () => {
      writesLeft = Number.POSITIVE_INFINITY
    },
  }
}
