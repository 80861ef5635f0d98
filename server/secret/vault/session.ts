import type { KeychainStatus } from '../../api/v1/system/system.ts'
import type { Vault } from './vault.ts'

export interface SessionVault extends Vault {
  /** Everything that is kept, by name. */
  entries(): [name: string, value: string][]
}

/** Keeps secrets in memory, and forgets them when it is closed. `why` is what `status` says. */
export function createSessionVault(why: Pick<KeychainStatus, 'state' | 'reason'>): SessionVault {
  const values = new Map<string, string>()
  const status = (): KeychainStatus => ({ ...why, storage: 'session-only' })
  return {
    get: async name => values.get(name) ?? null,
    set: async (name, value) => {
      if (value === '') values.delete(name)
      else values.set(name, value)
    },
    delete: async name => void values.delete(name),
    clear: async () => values.clear(),
    status: async () => status(),
    requestUnlock: async () => status(),
    close: async () => values.clear(),
    entries: () => [...values],
  }
}
