import { createMutex, type Mutex } from '../async/mutex.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import { randomToken } from '../domain/ids.ts'
import { isSameKey } from './same-key.ts'
import type { SecretLog } from './vault/log.ts'
import type { Vault } from './vault/vault.ts'

export const SESSION_API_KEY_NAME = 'session_api_key'

/** `environment`: it was given with SESSION_API_KEY, and is changed there. */
export type ApiKeyLocation = 'environment' | 'keychain' | 'memory'

/**
 * The key of the local API: `SESSION_API_KEY`, or the one in the vault, made at first use. While the keychain is
 * locked or missing it is a key for this run only, so that the app opens all the same.
 */
export async function openLocalApiKey(vault: Vault, env: NodeJS.ProcessEnv, log: SecretLog): Promise<LocalApiKey> {
  if (env.SESSION_API_KEY) return new LocalApiKey(env.SESSION_API_KEY, vault, { given: true })
  return new LocalApiKey(await loadKey(vault, log), vault, { given: false })
}

async function loadKey(vault: Vault, log: SecretLog): Promise<string> {
  try {
    const kept = await vault.get(SESSION_API_KEY_NAME)
    if (kept) return kept
    const created = randomToken(32)
    if ((await vault.status()).storage === 'keychain') await vault.set(SESSION_API_KEY_NAME, created)
    return created
  } catch (error) {
    if (!isAppError(error)) throw error
    log.warn({ code: error.code }, 'The API key could not be read or kept; this run uses a new one')
    return randomToken(32)
  }
}

/** The key that is valid now. Those of the sandboxes are made of it, so they change with it. */
export class LocalApiKey {
  #value: string
  readonly #vault: Vault
  readonly #given: boolean
  readonly #mutex: Mutex = createMutex()
  readonly #listeners = new Set<(key: string) => void>()

  constructor(value: string, vault: Vault, { given }: { given: boolean }) {
    this.#value = value
    this.#vault = vault
    this.#given = given
  }

  current(): string {
    return this.#value
  }

  is(key: string | undefined): boolean {
    return key !== undefined && isSameKey(key, this.#value)
  }

  async place(): Promise<ApiKeyLocation> {
    if (this.#given) return 'environment'
    return (await this.#vault.status()).storage === 'keychain' ? 'keychain' : 'memory'
  }

  /**
   * Puts a new key in the place of the old one, which is refused from then on. Without a keychain the new one, too, ends
   * with this run. @throws AppError conflict for a key that was given from outside; of the vault, with the old key kept
   */
  rotate(): Promise<string> {
    return this.#mutex(async () => {
      if (this.#given) {
        throw new AppError(
          'conflict',
          'The key was given with SESSION_API_KEY. Give another one there and start Atelier again.',
        )
      }
      const created = randomToken(32)
      if ((await this.place()) === 'keychain') await this.#vault.set(SESSION_API_KEY_NAME, created)
      this.#value = created
      for (const listener of [...this.#listeners]) listener(created)
      return created
    })
  }

  /** Called with each new key, after it is valid. */
  subscribe(listener: (key: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
