import pino from 'pino'
import { expect, test } from 'vitest'
import { AppError } from '../../server/domain/errors.ts'
import { LocalApiKey, openLocalApiKey, SESSION_API_KEY_NAME } from '../../server/secret/api-key.ts'
import { createSessionVault } from '../../server/secret/vault/session.ts'
import type { Vault } from '../../server/secret/vault/vault.ts'

const log = pino({ level: 'silent' })

/** A vault that keeps what it is given, as a keychain would. */
function lastingVault(): Vault {
  const session = createSessionVault({ state: 'ready', reason: null })
  return { ...session, status: async () => ({ state: 'ready', storage: 'keychain', reason: null }) }
}

test('the key of the environment wins and is not kept', async () => {
  const vault = lastingVault()
  const key = await openLocalApiKey(vault, { SESSION_API_KEY: 'given' }, log)
  expect(key.current()).toBe('given')
  expect(await key.place()).toBe('environment')
  expect(await vault.get(SESSION_API_KEY_NAME)).toBeNull()
})

test('a key is made at first use, kept, and found again', async () => {
  const vault = lastingVault()
  const first = (await openLocalApiKey(vault, {}, log)).current()
  expect(first).toMatch(/^[0-9A-Za-z]{40,44}$/)
  expect((await openLocalApiKey(vault, {}, log)).current()).toBe(first)
})

test('a locked keychain gives a key for this run, so that the app opens', async () => {
  const locked = async (): Promise<never> => {
    throw new AppError('keychain_locked', 'Locked.')
  }
  const vault = { ...lastingVault(), get: locked, set: locked }
  const keys = [await openLocalApiKey(vault, {}, log), await openLocalApiKey(vault, {}, log)]
  expect(new Set(keys.map(key => key.current())).size).toBe(2)
})

test('a key for this run is not put into memory, from where it could later replace the kept one', async () => {
  const vault = createSessionVault({ state: 'missing', reason: null })
  await openLocalApiKey(vault, {}, log)
  expect(vault.entries()).toEqual([])
})

test('a rotated key is kept in the place of the old one, and told to those who ask', async () => {
  const vault = lastingVault()
  const key = await openLocalApiKey(vault, {}, log)
  const old = key.current()
  const heard: string[] = []
  const stop = key.subscribe(value => heard.push(value))
  const created = await key.rotate()
  expect(key.current()).toBe(created)
  expect(key.is(old)).toBe(false)
  expect(key.is(created)).toBe(true)
  expect(heard).toEqual([created])
  expect((await openLocalApiKey(vault, {}, log)).current()).toBe(created)
  stop()
  await key.rotate()
  expect(heard).toEqual([created])
})

test('a key that was given from outside is not rotated', async () => {
  const key = await openLocalApiKey(lastingVault(), { SESSION_API_KEY: 'given' }, log)
  await expect(key.rotate()).rejects.toMatchObject({ code: 'conflict' })
  expect(key.current()).toBe('given')
})

test('a keychain that refuses the new key leaves the old one valid', async () => {
  const vault = lastingVault()
  const key = new LocalApiKey(
    'old-key',
    { ...vault, set: () => Promise.reject(new AppError('keychain_locked', 'Locked.')) },
    {
      given: false,
    },
  )
  await expect(key.rotate()).rejects.toMatchObject({ code: 'keychain_locked' })
  expect(key.is('old-key')).toBe(true)
})

test('rotations at the same time end in one key, which is the kept one', async () => {
  const vault = lastingVault()
  const key = await openLocalApiKey(vault, {}, log)
  const made = await Promise.all([key.rotate(), key.rotate(), key.rotate()])
  expect(new Set(made).size).toBe(3)
  expect(key.current()).toBe(made[2])
  expect(await vault.get(SESSION_API_KEY_NAME)).toBe(made[2])
})
