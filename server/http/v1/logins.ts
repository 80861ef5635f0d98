import { createHash } from 'node:crypto'
import type { BrowserLogin } from '../../api/v1/system/logins.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'

const CODE_LIFETIME_MS = 10 * 60_000
export const UNUSED_LIFETIME_MS = 30 * 24 * 3_600_000

export type LoginChange = 'begun' | 'ended'
type LoginListener = (change: LoginChange) => void

/** One browser that is logged in. The key itself is not kept, only what tells it. */
interface Login {
  id: string
  /** `window`: of the app's own window, which ends with the process and not before. */
  kind: 'browser' | 'window'
  /** As it called itself. */
  browser: string | null
  createdAt: number
  lastUsedAt: number
}

/**
 * Logins of browsers: a one-time code travels in a link's fragment, which no server or log sees, and is exchanged for a
 * key. It ends with this process, when the API's key is changed, when it was not used for 30 days, or when a person ends
 * it. The session key itself never leaves the keychain for a browser.
 */
export class Logins {
  readonly #now: () => number
  readonly #codes = new Map<string, number>()
  /** By the digest of their keys, so that looking one up tells nothing of the others. */
  readonly #logins = new Map<string, Login>()
  readonly #listeners = new Set<LoginListener>()

  /** `now` in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  createCode(): string {
    for (const [code, expires] of this.#codes) if (expires < this.#now()) this.#codes.delete(code)
    const code = randomToken(24)
    this.#codes.set(code, this.#now() + CODE_LIFETIME_MS)
    return code
  }

  /** @param browser what the browser calls itself @throws AppError unauthorized */
  redeem(code: string, browser: string | null = null): string {
    const expires = this.#codes.get(code)
    this.#codes.delete(code)
    if (expires === undefined || expires < this.#now()) {
      throw new AppError('unauthorized', 'This login link was used or is too old. Ask Atelier for a new one.')
    }
    const browsers = this.#browsers()
    const oldest = browsers.at(-1)
    if (oldest && browsers.length >= BOUNDS.loginKeys.limit) this.#end([oldest])
    return this.#create('browser', browser)
  }

  /** A key for a window of this process. */
  createWindowKey(): string {
    return this.#create('window', null)
  }

  /** Whether it is the key of a login, which counts as a use of it. */
  is(key: string): boolean {
    const login = this.#logins.get(digest(key))
    if (!login) return false
    if (this.#isUnused(login)) {
      this.#end([login])
      return false
    }
    login.lastUsedAt = this.#now()
    return true
  }

  /** The browsers that are logged in, the one that was used last first. @param key whose login is marked */
  list(key: string | undefined): BrowserLogin[] {
    const current = this.#find(key)
    return this.#browsers().map(({ id, browser, createdAt, lastUsedAt }) => ({
      id,
      browser,
      created_at: new Date(createdAt).toISOString(),
      last_used_at: new Date(lastUsedAt).toISOString(),
      is_current: id === current?.id,
    }))
  }

  /** @throws AppError not_found */
  end(id: string): void {
    const login = this.#browsers().find(one => one.id === id)
    if (!login) throw new AppError('not_found', 'There is no such login. It has ended already.')
    this.#end([login])
  }

  /** All browsers but the one whose key this is: it has just shown that a person is there. */
  endOthers(key: string | undefined): void {
    const current = this.#find(key)
    this.#end(this.#browsers().filter(({ id }) => id !== current?.id))
  }

  /** Called when a key has begun, and when some have ended, after they are refused. */
  subscribe(listener: LoginListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #create(kind: Login['kind'], browser: string | null): string {
    const key = randomToken(32)
    const now = this.#now()
    this.#logins.set(digest(key), { id: randomToken(12), kind, browser, createdAt: now, lastUsedAt: now })
    this.#tell('begun')
    return key
  }

  #find(key: string | undefined): Login | undefined {
    return key === undefined ? undefined : this.#logins.get(digest(key))
  }

  #browsers(): Login[] {
    const browsers = [...this.#logins.values()].filter(login => login.kind === 'browser' && !this.#isUnused(login))
    return browsers.sort((a, b) => b.lastUsedAt - a.lastUsedAt)
  }

  #isUnused({ kind, lastUsedAt }: Login): boolean {
    return kind === 'browser' && this.#now() - lastUsedAt > UNUSED_LIFETIME_MS
  }

  #end(ended: readonly Login[]): void {
    for (const [key, login] of this.#logins) if (ended.includes(login)) this.#logins.delete(key)
    if (ended.length > 0) this.#tell('ended')
  }

  #tell(change: LoginChange): void {
    for (const listener of [...this.#listeners]) listener(change)
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
