import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { saveSandboxAsSpec } from '../../../server/api/v1/sandbox/builds.ts'
import { startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec, sandboxSpecRequest, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { createSecret } from '../../../server/api/v1/settings/secrets.ts'
import { getSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { ERASE_CONFIRMATION, eraseStorage, getStorage, makeBackup } from '../../../server/api/v1/system/storage.ts'
import { createClient } from '../../../server/client/client.ts'
import { LABEL } from '../../../server/docker/container/labels.ts'
import { AppError } from '../../../server/domain/errors.ts'
import { createSessionVault } from '../../../server/secret/vault/session.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { removeSandboxesOfInstance, testEngine } from '../../parts/engine/containers.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

const BODY = { confirmation: ERASE_CONFIRMATION } as const

let vault: ReturnType<typeof createSessionVault>
let service: TestService
let instance: string
beforeEach(async () => {
  vault = createSessionVault({ state: 'missing', reason: 'This is a test.' })
  service = await startTestService({ vault, settings: { git_user_name: 'Ada', llm_api_key: 'sk-canary-erased' } })
  instance = readFileSync(join(service.dataDir, 'instance'), 'utf8').trim()
})
afterEach(async () => {
  await service.close()
  await removeSandboxesOfInstance(instance)
})

async function objects(): Promise<string[]> {
  const engine = testEngine()
  const found = await engine.listObjects({ [LABEL.instance]: instance })
  await engine.close()
  return found.map(({ kind }) => kind).sort()
}

/** As the window that asked for it. */
function windowClient() {
  return createClient({ url: service.service.url, key: service.service.windowKey(), validate: true })
}

async function untilNew(): Promise<void> {
  const isNew = () =>
    windowClient()
      .call(getSettingsV1)
      .then(
        () => false,
        error => error.code === 'settings_not_found',
      )
  await expect.poll(isNew).toBe(true)
}

it('leaves nothing in the engine, the keychain and the folder, and begins as on the first day', async () => {
  const { client, dataDir } = service
  const [bundled] = (await client.call(searchSandboxSpecs, { query: {} })).items
  const created = sandboxSpecRequest.parse({ title: 'Cached', image: bundled?.image, caches: ['npm'] })
  const spec = await client.call(createSandboxSpec, { body: created })
  const { id } = await startGatewaySandbox(service)
  const cached = await client.call(startSandbox, { query: { sandbox_spec_id: spec.id } })
  await expect.poll(objects).toContain('volume')
  await client.call(saveSandboxAsSpec, { params: { sandbox_id: id }, body: { title: 'Saved' } })
  await client.call(createSecret, { body: { name: 'MINE', value: 'canary-of-mine' } })
  await client.call(makeBackup)
  mkdirSync(join(dataDir, 'window'))
  writeFileSync(join(dataDir, 'novel.txt'), 'A person’s own.')
  expect(await objects()).toEqual(expect.arrayContaining(['container', 'container', 'image', 'volume']))
  expect(cached.id).not.toBe(id)

  expect(await client.call(eraseStorage, { body: BODY })).toEqual({ restarting: true })
  await untilNew()
  expect(await objects()).toEqual([])
  expect(vault.entries()).toEqual([])
  const left = readdirSync(dataDir).filter(name => !name.startsWith('atelier.db') && !name.startsWith('search.db'))
  // The app deletes what it has open itself, and learns from the mark that it is to.
  expect(left.sort()).toEqual([
    'erasing-window',
    'instance',
    'novel.txt',
    'server.json',
    'storage-notice.json',
    'window',
  ])
  expect(readFileSync(join(dataDir, 'instance'), 'utf8').trim()).not.toBe(instance)
  expect(await windowClient().call(getStorage)).toMatchObject({
    notice: {
      kind: 'erased',
      message: expect.stringMatching(/but for this: Keys that were stored in a keychain before/),
    },
    question: null,
    backups: [],
  })
  // The key of before is nobody's any more.
  await expect(client.call(getStorage)).rejects.toMatchObject({ status: 401 })
})

it('is done by nothing but a request that says so', async () => {
  for (const body of [{}, { confirmation: '' }, { confirmation: true }, { confirmation: 'Delete all data' }]) {
    await expect(service.client.call(eraseStorage, { body: body as typeof BODY })).rejects.toMatchObject({
      status: 422,
    })
  }
  expect(await service.client.call(getSettingsV1)).toMatchObject({ git_user_name: 'Ada' })
})

it('is refused as long as the keychain is locked, and deletes nothing', async () => {
  vault.get = async () => {
    throw new AppError('keychain_locked', 'The keychain of this computer is locked. Unlock it, then try again.')
  }
  await expect(service.client.call(eraseStorage, { body: BODY })).rejects.toMatchObject({ code: 'keychain_locked' })
  expect(existsSync(join(service.dataDir, 'erasing'))).toBe(false)
  expect(await service.client.call(getSettingsV1)).toMatchObject({ git_user_name: 'Ada' })
})

it('is finished by the next process where one has died meanwhile', async () => {
  await startGatewaySandbox(service)
  await service.restart(() => writeFileSync(join(service.dataDir, 'erasing'), ''))
  await untilNew()
  expect(await objects()).toEqual([])
  // Also where the database was gone already.
  await service.restart(() => {
    rmSync(join(service.dataDir, 'atelier.db'))
    writeFileSync(join(service.dataDir, 'erasing'), '')
  })
  await untilNew()
  expect(await windowClient().call(getStorage)).toMatchObject({ question: null })
})

it('says what of the keychain stays', async () => {
  vault.clear = async () => {
    throw new AppError('keychain_failed', 'The keychain of this computer refused.')
  }
  await service.client.call(eraseStorage, { body: BODY })
  await untilNew()
  expect((await windowClient().call(getStorage)).notice).toMatchObject({
    kind: 'erased',
    message: 'All data was deleted, but for this: Keys in the keychain: The keychain of this computer refused.',
  })
})
