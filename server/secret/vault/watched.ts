import type { KeychainStatus } from '../../api/v1/system/system.ts'
import { isAppError } from '../../domain/errors.ts'
import type { Vault } from './vault.ts'

/** A vault that tells whenever its answers turn: it refuses what it gave before, or gives what it refused. */
export class WatchedVault implements Vault {
  readonly #vault: Vault
  readonly #listeners = new Set<() => void>()
  /** The code of the error with which it refused last. */
  #refusal: string | undefined

  constructor(vault: Vault) {
    this.#vault = vault
  }

  onTurn(listener: () => void): void {
    this.#listeners.add(listener)
  }

  get(name: string): Promise<string | null> {
    return this.#watch(this.#vault.get(name))
  }

  set(name: string, value: string): Promise<void> {
    return this.#watch(this.#vault.set(name, value))
  }

  delete(name: string): Promise<void> {
    return this.#watch(this.#vault.delete(name))
  }

  clear(): Promise<void> {
    return this.#watch(this.#vault.clear())
  }

  status(): Promise<KeychainStatus> {
    return this.#vault.status()
  }

  requestUnlock(signal: AbortSignal): Promise<KeychainStatus> {
    return this.#vault.requestUnlock(signal)
  }

  close(): Promise<void> {
    return this.#vault.close()
  }

  async #watch<T>(answer: Promise<T>): Promise<T> {
    try {
      const given = await answer
      this.#hear(undefined)
      return given
    } catch (error) {
      if (isAppError(error)) this.#hear(error.code)
      throw error
    }
  }

  #hear(refusal: string | undefined): void {
    if (refusal === this.#refusal) return
    this.#refusal = refusal
    for (const listener of this.#listeners) listener()
  }
}
