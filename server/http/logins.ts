import { AppError } from '../errors.ts'
import { randomToken } from '../ids.ts'

const CODE_LIFETIME_MS = 10 * 60_000

/**
 * Logins of browsers: a one-time code travels in a link's fragment, which no server or log sees, and is exchanged for
 * a key that ends with this process. The session key itself never leaves the keychain for a browser.
 */
export class Logins {
  readonly #codes = new Map<string, number>()
  readonly #keys: string[] = []

  createCode(): string {
    const code = randomToken(24)
    this.#codes.set(code, Date.now() + CODE_LIFETIME_MS)
    return code
  }

  /** @throws AppError unauthorized */
  redeem(code: string): string {
    const expires = this.#codes.get(code)
    this.#codes.delete(code)
    if (expires === undefined || expires < Date.now()) {
      throw new AppError('unauthorized', 'This login link was used or is too old. Ask Atelier for a new one.')
    }
    return this.createKey()
  }

  createKey(): string {
    const key = randomToken(32)
    this.#keys.push(key)
    return key
  }

  keys(): readonly string[] {
    return this.#keys
  }
}
