import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { searchSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { getSettingsV1, storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import {
  answerStorage,
  freeStorage,
  getStorage,
  makeBackup,
  restoreBackup,
} from '../../../server/api/v1/system/storage.ts'
import { getSystem } from '../../../server/api/v1/system/system.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let service: TestService
afterEach(() => service?.close())

const name = async () => (await service.client.call(getSettingsV1)).git_user_name

it('restores a backup while it runs, on the same port and with the same key, and keeps what it replaces', async () => {
  service = await startTestService({ settings: { git_user_name: 'Before' } })
  const backup = await service.client.call(makeBackup)
  await service.client.call(storeSettingsV1, { body: { git_user_name: 'After' } })
  await service.client.call(restoreBackup, { params: { name: backup.name } })
  await expect.poll(() => name().catch(() => null), { timeout: 20_000 }).toBe('Before')
  const storage = await service.client.call(getStorage)
  expect(storage.notice).toMatchObject({ kind: 'restored' })
  expect(storage.backups.map(({ kind }) => kind).sort()).toEqual(['manual', 'restore'])
})

it('asks what to do when the database is gone, answers nothing else meanwhile, and goes on with the answer', async () => {
  service = await startTestService({ settings: { git_user_name: 'Before' } })
  await service.client.call(makeBackup)
  await service.service.close()
  rmSync(join(service.dataDir, 'atelier.db'))
  await service.restart()
  await expect(service.client.call(getSystem)).rejects.toMatchObject({ status: 503, code: 'storage_undecided' })
  expect((await service.client.call(getStorage)).question).toMatchObject({ kind: 'missing' })
  await service.client.call(answerStorage, { body: { choice: 'restore' } })
  await expect.poll(() => name().catch(() => null), { timeout: 20_000 }).toBe('Before')
  expect((await service.client.call(getStorage)).question).toBeNull()
})

async function withoutDatabase(): Promise<void> {
  await service.restart(() => rmSync(join(service.dataDir, 'atelier.db')))
}

it('asks again when its answer could not be carried out, and says why', async () => {
  service = await startTestService({ settings: { git_user_name: 'Before' } })
  const good = await service.client.call(makeBackup)
  const damaged = await service.client.call(makeBackup)
  await withoutDatabase()
  truncateSync(join(service.dataDir, 'backups', damaged.name), 5_000)
  const asked = (await service.client.call(getStorage)).question
  expect(asked).toMatchObject({ problem: null })
  await service.client.call(answerStorage, { body: { choice: 'restore', backup: damaged.name } })
  const again = async () => (await service.client.call(getStorage).catch(() => null))?.question ?? asked
  await expect.poll(async () => (await again())?.asked_at, { timeout: 20_000 }).not.toBe(asked?.asked_at)
  expect(await again()).toMatchObject({
    kind: 'missing',
    problem: expect.stringMatching(/damaged.*Choose another one/),
  })
  await service.client.call(answerStorage, { body: { choice: 'restore', backup: good.name } })
  await expect.poll(() => name().catch(() => null), { timeout: 20_000 }).toBe('Before')
})

it('begins anew with the sandboxes that are there, and says where what was there before is', async () => {
  service = await startTestService({ settings: { git_user_name: 'Before' } })
  const { id } = await startGatewaySandbox(service)
  await withoutDatabase()
  await service.client.call(answerStorage, { body: { choice: 'adopt' } })
  await expect
    .poll(async () => (await service.client.call(getStorage).catch(() => null))?.notice?.kind, { timeout: 20_000 })
    .toBe('adopted')
  const sandboxes = await service.client.call(searchSandboxes, { query: {} })
  expect(sandboxes.items.map(sandbox => sandbox.id)).toContain(id)
})

it('frees what is chosen: all backups but the newest', async () => {
  service = await startTestService({ settings: { git_user_name: 'Before' } })
  for (let count = 0; count < 3; count++) await service.client.call(makeBackup)
  const before = await service.client.call(getStorage)
  const backups = before.reclaimable.find(({ kind }) => kind === 'backups')
  expect(backups).toMatchObject({ files: 2, bytes: before.backups.slice(1).reduce((sum, { bytes }) => sum + bytes, 0) })
  const after = await service.client.call(freeStorage, { body: { kinds: ['backups'] } })
  expect(after.backups).toEqual(before.backups.slice(0, 1))
})
