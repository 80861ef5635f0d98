import { join } from 'node:path'
import { expect } from 'vitest'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { getSettings, storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { Database } from '../../../server/store/database/database.ts'
import { SettingTable } from '../../../server/store/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, ({}) => ({
  settings: { llm_model: 'openai/scripted', llm_base_url: 'http://127.0.0.1:9' },
}))

const HOSTILE = ['https://ghcr.io/openhands/runtime:1', 'a/../../127.0.0.1:9/x', '../info', 'a//b', 'a?x=1']

it.for(HOSTILE)(
  'an image name that leads elsewhere in the engine, %s, is refused with its field',
  async (name, { service }) => {
    for (const field of ['sandbox_base_container_image', 'sandbox_runtime_container_image'] as const) {
      await expect(service.client.call(storeSettings, { body: { [field]: name } })).rejects.toMatchObject({
        status: 422,
      })
    }
    const body = { title: 'Hostile', image: name }
    await expect(service.client.call(createSandboxSpec, { body })).rejects.toMatchObject({ status: 422 })
  },
)

it('an empty image name is no image name, as existing clients send it', async ({ service }) => {
  await service.client.call(storeSettings, { body: { sandbox_base_container_image: '' } })
  expect(await service.client.call(getSettings)).toMatchObject({ sandbox_base_container_image: '' })
})

it('a stored image name that cannot be used stops nothing: it is shown, and a start from it says why it fails', async ({
  service,
}) => {
  const [hostile = ''] = HOSTILE
  await service.restart(() => {
    const database = Database.open(join(service.dataDir, 'atelier.db'))
    new SettingTable(database).write({ sandbox_runtime_container_image: hostile })
    database.close()
  })
  expect(await service.client.call(getSettings)).toMatchObject({ sandbox_runtime_container_image: hostile })
  const { items } = await service.client.call(searchSandboxSpecs, { query: {} })
  expect(items[0]).toMatchObject({ image: hostile, image_present: false, is_default: true })
  expect(items.some(spec => spec.image_present)).toBe(true)
  const failed = await startConversation(service, {})
  expect(failed).toMatchObject({ status: 'ERROR', detail: expect.stringContaining('Check its name and tag') })
})
