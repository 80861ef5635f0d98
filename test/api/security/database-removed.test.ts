import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { getSettingsV1, storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { getStorage, makeBackup } from '../../../server/api/v1/system/storage.ts'
import { type Headless, startHeadless } from '../../parts/service/headless.ts'

let service: Headless | undefined

afterEach(async () => {
  await service?.end('SIGKILL')
  if (service) rmSync(service.dataDir, { recursive: true, force: true })
  service = undefined
})

const saveName = (one: Headless, git_user_name: string) => one.client.call(storeSettingsV1, { body: { git_user_name } })
const nameIn = async (one: Headless) => (await one.client.call(getSettingsV1)).git_user_name

async function killedAndStarted({ dataDir, key, end }: Headless): Promise<Headless> {
  await end('SIGKILL')
  service = await startHeadless({ dataDir, key })
  return service
}

const removeAll = (folder: string) => {
  for (const name of readdirSync(folder)) if (name.startsWith('atelier.db')) rmSync(join(folder, name))
}

const REMOVALS: Record<string, (folder: string) => void> = {
  'all files of the database': removeAll,
  'the log beside it alone': folder => rmSync(join(folder, 'atelier.db-wal')),
  'the database alone, with another one moved into its place': folder => {
    copyFileSync(join(folder, 'atelier.db'), join(folder, 'other.db'))
    renameSync(join(folder, 'other.db'), join(folder, 'atelier.db'))
  },
}

it.each(Object.entries(REMOVALS))(
  'somebody removes %s while the service works, and kills it: nothing is lost',
  {
    timeout: 60_000,
  },
  async (_, remove) => {
    service = await startHeadless()
    await saveName(service, 'Before')
    remove(service.dataDir)
    await saveName(service, 'After the removal')
    const told = await service.client.call(getStorage)
    expect(told.notice).toMatchObject({ kind: 'rewritten', message: expect.stringContaining('nothing is missing') })
    expect(told.database_bytes).toBeGreaterThan(10_000)
    expect(told.backup_problem).toBeNull()
    await saveName(service, 'After it was written anew')
    await service.client.call(makeBackup)
    expect(statSync(join(service.dataDir, 'atelier.db')).mode & 0o777).toBe(0o600)
    const again = await killedAndStarted(service)
    expect(await nameIn(again)).toBe('After it was written anew')
    const { question, notice, backups } = await again.client.call(getStorage)
    expect({ question, kind: notice?.kind, backups: backups.length }).toEqual({
      question: null,
      kind: 'rewritten',
      backups: 1,
    })
  },
)

it('is noticed by the service itself, which keeps its folder for itself', { timeout: 60_000 }, async () => {
  service = await startHeadless()
  const { dataDir, key } = service
  await saveName(service, 'Before')
  removeAll(dataDir)
  await expect.poll(() => existsSync(join(dataDir, 'atelier.db')), { timeout: 10_000 }).toBe(true)
  await expect(startHeadless({ dataDir, key })).rejects.toThrow(/in use|already|another/i)
  expect(await nameIn(await killedAndStarted(service))).toBe('Before')
})

it('keeps its folder for itself when somebody removes its lock, before it has noticed and after', {
  timeout: 60_000,
}, async () => {
  service = await startHeadless()
  const { dataDir, key } = service
  await saveName(service, 'Before')
  for (let time = 0; time < 3; time++) {
    rmSync(join(dataDir, 'atelier.db.lock'), { force: true })
    await expect(startHeadless({ dataDir, key })).rejects.toThrow(/in use/)
  }
  await saveName(service, 'After')
  expect(await nameIn(await killedAndStarted(service))).toBe('After')
})
