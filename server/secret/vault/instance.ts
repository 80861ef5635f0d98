import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

/** What keeps the keychain items of another data folder apart from the user's own, whose items have plain names (null). */
export function keychainInstance(dataDir: string, defaultDataDir: string): string | null {
  const folder = resolve(dataDir)
  if (folder === resolve(defaultDataDir)) return null
  return createHash('sha256').update(folder).digest('hex').slice(0, 12)
}

/** What an item is called in the keychain. */
export function accountOf(name: string, instance: string | null): string {
  return instance === null ? name : `${name}@${instance}`
}

/** Whose an item is by that. */
export function instanceOf(account: string): string | null {
  return /@([0-9a-f]{12})$/.exec(account)?.[1] ?? null
}
