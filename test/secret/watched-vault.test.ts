import { expect, test } from 'vitest'
import { WatchedVault } from '../../server/secret/vault/watched.ts'
import { createLockableVault } from '../parts/secret/lockable-vault.ts'

test('a vault tells when it begins to refuse, and when it gives again, once each', async () => {
  const inside = createLockableVault()
  const vault = new WatchedVault(inside)
  let turns = 0
  vault.onTurn(() => turns++)
  await vault.set('name', 'value')
  expect(turns).toBe(0)
  inside.lock()
  await expect(vault.get('name')).rejects.toMatchObject({ code: 'keychain_locked' })
  await expect(vault.get('name')).rejects.toMatchObject({ code: 'keychain_locked' })
  expect(turns).toBe(1)
  inside.unlock()
  expect(await vault.get('name')).toBe('value')
  expect(await vault.get('name')).toBe('value')
  expect(turns).toBe(2)
})
