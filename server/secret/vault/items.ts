import { createMutex, type Mutex } from '../../async/mutex.ts'
import { isAppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { OrphanedVaultItemTable } from '../../store/orphaned-vault-items.ts'
import type { Mask } from '../mask/mask.ts'
import type { SecretLog } from './log.ts'
import type { Vault } from './vault.ts'

interface Dependencies {
  vault: Vault
  orphans: OrphanedVaultItemTable
  mask: Pick<Mask, 'add'>
  log: SecretLog
}

/**
 * Values in the vault, each an item of its own, named by rows of the database.
 *
 * INVARIANTS: a row never names an item that was not written; an item that no row names is deleted, at the latest when
 * the service starts again and the vault answers; every value that passes through here is known to the mask.
 */
export class VaultItems {
  readonly #dependencies: Dependencies
  readonly #mutex: Mutex = createMutex()
  /** What the vault said last: the value was there, or it is gone, as after a session without a keychain. */
  readonly #seen = new Map<string, 'there' | 'gone'>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Writes each value to a new item, then lets `commit` name these in rows and say which items it gives up.
   * @throws AppError of the vault: then nothing was stored and nothing is given up
   */
  store(values: readonly string[], commit: (items: readonly string[]) => readonly string[]): Promise<void> {
    return this.#mutex(async () => {
      const { vault, orphans, mask } = this.#dependencies
      const items = values.map(() => `secret:${randomToken(16)}`)
      orphans.add(items)
      try {
        for (const [index, value] of values.entries()) {
          mask.add(value)
          await vault.set(items[index] ?? '', value)
        }
        orphans.settle(items, () => commit(items))
      } catch (error) {
        await this.#sweep()
        throw error
      }
      for (const item of items) this.#seen.set(item, 'there')
      await this.#sweep()
    })
  }

  /** Deletes items, with the rows that `commit` removes. @throws AppError of the vault, with everything as it was */
  remove(items: readonly string[], commit: () => void): Promise<void> {
    return this.#mutex(async () => {
      const { vault, orphans } = this.#dependencies
      const [first] = items
      if (first !== undefined) await vault.get(first)
      orphans.settle([], () => {
        commit()
        return items
      })
      await this.#sweep()
    })
  }

  /** @throws AppError of the vault */
  async read(item: string): Promise<string | null> {
    const { vault, mask } = this.#dependencies
    const value = await vault.get(item)
    if (value !== null) mask.add(value)
    this.#seen.set(item, value === null ? 'gone' : 'there')
    return value
  }

  /** Reads what was not read yet, so that the mask knows it. A vault that does not answer is asked again next time. */
  async learn(items: readonly string[]): Promise<void> {
    try {
      await this.learnAll(items)
    } catch (error) {
      if (!isAppError(error)) throw error
    }
  }

  /** The same, for whoever may not go on without. @throws AppError of the vault */
  async learnAll(items: readonly string[]): Promise<void> {
    for (const item of items) if (this.#seen.get(item) !== 'there') await this.read(item)
  }

  /** The vault answered and has no such value. */
  isGone(item: string): boolean {
    return this.#seen.get(item) === 'gone'
  }

  /** Deletes what earlier changes left behind. Never rejects for a vault that does not answer. */
  sweep(): Promise<void> {
    return this.#mutex(() => this.#sweep())
  }

  async #sweep(): Promise<void> {
    const { vault, orphans, log } = this.#dependencies
    try {
      for (const name of orphans.all()) {
        await vault.delete(name)
        orphans.remove(name)
        this.#seen.delete(name)
      }
    } catch (error) {
      if (!isAppError(error)) throw error
      log.warn({ code: error.code }, 'Secrets that are no longer used will be deleted when the keychain answers')
    }
  }
}
