import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HIDDEN } from '../../server/api/contract/hidden-values.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { names, variableOf } from '../../server/secret/mask/variable-names.ts'
import { VaultItems } from '../../server/secret/vault/items.ts'
import { Database } from '../../server/store/database/database.ts'
import { OrphanedVaultItemTable } from '../../server/store/orphaned-vault-items.ts'
import { createLockableVault, type LockableVault } from '../parts/secret/lockable-vault.ts'

let folder: string
let database: Database
let vault: LockableVault

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-items-'))
  database = Database.open(join(folder, 'atelier.db'))
  vault = createLockableVault()
})

afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const mask = createMask()
const open = (inside = vault) =>
  new VaultItems({
    vault: inside,
    orphans: new OrphanedVaultItemTable(database),
    mask,
    log: pino({ level: 'silent' }),
  })
const kept = () => vault.entries().map(([, value]) => value)

describe('items of the vault', () => {
  it('are all written or none, when the keychain is locked in between', async () => {
    vault.lock(2)
    const storing = open().store(['one', 'two', 'three'], () => [])
    await expect(storing).rejects.toMatchObject({ code: 'keychain_locked' })
    vault.unlock()
    await open().sweep()
    expect(kept()).toEqual([])
  })

  it('are not kept when no row could name them', async () => {
    const storing = open().store(['one'], () => {
      throw new Error('no row')
    })
    await expect(storing).rejects.toThrow('no row')
    expect(kept()).toEqual([])
  })

  it('that a crash left behind are deleted at the next start', async () => {
    const dying: LockableVault = {
      ...vault,
      set: async (name, value) => {
        await vault.set(name, value)
        return new Promise(() => {}) // the process ends here
      },
    }
    void open(dying).store(['orphan'], () => [])
    await expect.poll(kept).toEqual(['orphan'])
    await open().sweep()
    expect(kept()).toEqual([])
  })

  it('that were given up while the keychain was locked are deleted once it answers', async () => {
    const items = open()
    let first = ''
    await items.store(['old'], ([item = '']) => {
      first = item
      return []
    })
    vault.lock(1)
    await items.store(['new'], () => [first])
    expect(kept().sort()).toEqual(['new', 'old'])
    vault.unlock()
    await items.sweep()
    expect(kept()).toEqual(['new'])
  })

  it('are known to the mask before they are stored, and when they are read', async () => {
    await open().store(['a-secret-of-mine'], () => [])
    expect(mask.mask('it is a-secret-of-mine')).toBe(`it is ${HIDDEN}`)
  })

  it('are told apart: gone, or not to be asked for now', async () => {
    const items = open()
    await items.learn(['nothing'])
    expect(items.isGone('nothing')).toBe(true)
    vault.lock()
    await items.learn(['unknown'])
    expect(items.isGone('unknown')).toBe(false)
  })
})

describe('a command names a secret', () => {
  it.each([
    ['echo $GITHUB_TOKEN', 'GITHUB_TOKEN'],
    ['echo "${github_token}"', 'GITHUB_TOKEN'],
    ['python -c \'import os; os.environ["API_KEY"]\'', 'api_key'],
    ['deploy --with my-key', 'my-key'],
    ['deploy "$my_key"', 'my-key'],
    ['echo $A.$B', 'a'],
  ])('%s: %s', (command, name) => {
    expect(names(command, name)).toBe(true)
  })

  it.each([
    ['echo $MY_GITHUB_TOKEN', 'GITHUB_TOKEN'],
    ['cat a.txt', 'TXT_A'],
    ['echo API_KEYS', 'API_KEY'],
    ['echo axb', 'a.b'],
    ['', 'A'],
  ])('not in %s: %s', (command, name) => {
    expect(names(command, name)).toBe(false)
  })

  it('finds it under a name that every shell takes', () => {
    expect(['my-key', '1st', 'ä b', 'OK_1'].map(variableOf)).toEqual(['my_key', '_1st', '__b', 'OK_1'])
  })
})
