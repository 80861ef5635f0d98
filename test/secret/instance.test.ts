import { expect, test } from 'vitest'
import { keychainInstance } from '../../server/secret/vault/instance.ts'

test("the user's own data folder uses plain names, every other folder names of its own", () => {
  expect(keychainInstance('/home/u/data/', '/home/u/data')).toBeNull()
  expect(keychainInstance('/tmp/a', '/home/u/data')).toMatch(/^[0-9a-f]{12}$/)
  expect(keychainInstance('/tmp/a', '/home/u/data')).not.toBe(keychainInstance('/tmp/b', '/home/u/data'))
})
