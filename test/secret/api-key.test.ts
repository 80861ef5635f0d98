import pino from 'pino'
import { expect, test } from 'vitest'
import { AppError } from '../../server/errors.ts'
import { loadSessionApiKey, SESSION_API_KEY_NAME } from '../../server/secret/api-key.ts'
import { createSessionVault } from '../../server/secret/session-vault.ts'
import type { Vault } from '../../server/secret/vault.ts'

const log = pino({ level: 'silent' })

/** A vault that keeps what it is given, as a keychain would. */
function lastingVault(): Vault {
  const session = createSessionVault({ state: 'ready', reason: null })
  return { ...session, status: async () => ({ state: 'ready', storage: 'keychain', reason: null }) }
}

test('the key of the environment wins and is not kept', async () => {
  const vault = lastingVault()
  expect(await loadSessionApiKey(vault, { SESSION_API_KEY: 'given' }, log)).toBe('given')
  expect(await vault.get(SESSION_API_KEY_NAME)).toBeNull()
})

test('a key is made at first use, kept, and found again', async () => {
  const vault = lastingVault()
  const first = await loadSessionApiKey(vault, {}, log)
  expect(first).toMatch(/^[0-9A-Za-z]{40,44}$/)
  expect(await loadSessionApiKey(vault, {}, log)).toBe(first)
})

test('a locked keychain gives a key for this run, so that the app opens', async () => {
  const locked = async (): Promise<never> => {
    throw new AppError('keychain_locked', 'Locked.')
  }
  const vault = { ...lastingVault(), get: locked, set: locked }
  const keys = [await loadSessionApiKey(vault, {}, log), await loadSessionApiKey(vault, {}, log)]
  expect(new Set(keys).size).toBe(2)
})

test('a key for this run is not put into memory, from where it could later replace the kept one', async () => {
  const vault = createSessionVault({ state: 'missing', reason: null })
  await loadSessionApiKey(vault, {}, log)
  expect(vault.entries()).toEqual([])
})
