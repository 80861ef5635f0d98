import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { searchSandboxes, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { getSettingsV1, storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { getStorage, makeBackup } from '../../../server/api/v1/system/storage.ts'
import { instanceOf, removeSandboxesOfInstance } from '../../parts/engine/containers.ts'
import { type SmallDisk, smallDisk } from '../../parts/engine/small-disk.ts'
import { type DesktopApp, newDataDir, removeDataDir, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { keepFailure, look } from '../../parts/window/look.ts'

const ENV = { ...process.env, ATELIER_VAULT: 'session' }
const closers: (() => unknown)[] = []
let desktop: DesktopApp

afterEach(async ({ task }) => {
  await keepFailure(desktop, task)
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(dataDir: string, env: NodeJS.ProcessEnv = ENV): Promise<DesktopApp> {
  desktop = await startDesktopApp({ env, dataDir })
  const opened = desktop
  closers.push(() => opened.close())
  return desktop
}

/** A data folder that was in use: settings, one backup, one sandbox; its database is gone. */
async function withoutDatabase(): Promise<string> {
  const dataDir = newDataDir()
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const { service, close } = await startDesktopApp({ env: ENV, dataDir })
  await service.client.call(storeSettingsV1, { body: { git_user_name: 'Ada' } })
  await service.client.call(makeBackup)
  await service.client.call(startSandbox, {})
  // One that is still starting would go with the app.
  const states = async () =>
    (await service.client.call(searchSandboxes, { query: {} })).items.map(({ status }) => status)
  await expect.poll(states).toEqual(['RUNNING'])
  await close()
  const instance = instanceOf(dataDir)
  closers.push(() => removeSandboxesOfInstance(instance))
  rmSync(join(dataDir, 'atelier.db'))
  return dataDir
}

describe('a missing database', () => {
  test('is asked about before anything else; the newest backup is restored, and the window says so once', async () => {
    const { page, service, app } = await open(await withoutDatabase())
    await page.getByRole('heading', { name: 'The database is missing' }).waitFor()
    await look({ app, page }, 'storage-question')
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('A backup was restored.').waitFor()
    expect(await service.client.call(getSettingsV1)).toMatchObject({ git_user_name: 'Ada' })
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('A backup was restored.').waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    expect(await page.getByText('A backup was restored.').count()).toBe(0)
  })

  test('can be left as it is: the app quits, and nothing was changed', async () => {
    const dataDir = await withoutDatabase()
    const { page, endedBy } = await open(dataDir)
    expect(await endedBy(() => page.getByRole('button', { name: 'Quit Atelier' }).click())).toEqual([0, null])
    const again = await open(dataDir)
    await again.page.getByRole('heading', { name: 'The database is missing' }).waitFor()
  })

  test('is not asked about where ATELIER_DATABASE has answered: the sandboxes are adopted', async () => {
    const { page, service } = await open(await withoutDatabase(), { ...ENV, ATELIER_DATABASE: 'adopt' })
    await page.getByText('A new database was begun.').waitFor()
    expect((await service.client.call(searchSandboxes, { query: {} })).items).toHaveLength(1)
  })
})

test('a person backs up, restores what was there before, and gets the later state back', async () => {
  const dataDir = newDataDir()
  closers.push(() => removeDataDir(dataDir))
  const { page, service, app } = await open(dataDir)
  const name = async () => (await service.client.call(getSettingsV1)).git_user_name
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  await service.client.call(storeSettingsV1, { body: { git_user_name: 'Before' } })
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Storage and backups' }).click()
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByText(/^Backed up,/).waitFor()
  await service.client.call(storeSettingsV1, { body: { git_user_name: 'After' } })
  await page.getByRole('button', { name: /^Restore the backup of/ }).click()
  await page.getByText('The current database is kept as a backup').waitFor()
  await look({ app, page }, 'storage-restore')
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('The backup is restored.').waitFor()
  expect(await name()).toBe('Before')
  await look({ app, page }, 'storage')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Before a restore' })
    .getByRole('button', { name: /^Restore/ })
    .click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.poll(name).toBe('After')
})

describe.skipIf(process.getuid?.() !== 0)('a disk that fills up (only root may mount a small one)', () => {
  let disk: SmallDisk

  test('is told, with a way to free space, and goes by itself once there is some', async () => {
    disk = smallDisk(200)
    closers.push(() => disk.remove())
    const { page, service, app } = await open(disk.folder)
    await service.client.call(storeSettingsV1, { body: { git_user_name: 'Ada' } })
    for (let count = 0; count < 3; count++) await service.client.call(makeBackup)
    await page.getByText(/^The disk is almost full: \d+ MB free\.$/).waitFor()
    disk.fill()
    await page.getByText('The disk is full.').waitFor()
    await look({ app, page }, 'disk-full')
    await page.getByRole('link', { name: 'Free up space' }).click()
    await page.getByRole('checkbox', { name: 'Old backups' }).check()
    await look({ app, page }, 'storage-disk-full')
    await page.getByRole('button', { name: /^Delete .*B…$/ }).click()
    await page.getByRole('button', { name: /^Delete .*B$/ }).click()
    await page.getByText(/ freed: \d+ entr/).waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    expect((await service.client.call(getStorage)).backups).toHaveLength(1)
    disk.free()
    await page.getByText('The disk is full.').waitFor({ state: 'hidden' })
  })
})
