import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { getSettingsV1, storeSettingsV1 } from '../../server/api/settings.ts'
import { answerStorage, getStorage, makeBackup, restoreBackup } from '../../server/api/storage.ts'
import { getSystem } from '../../server/api/system.ts'
import { startTestService, type TestService } from '../parts/service.ts'

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
