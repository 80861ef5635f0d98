import { afterEach, expect, test } from 'vitest'
import { getSettings, storeSettings } from '../../server/api/v1/settings/settings.ts'
import { testModel } from '../../server/api/v1/system/system.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { filesWith } from '../parts/secret/kept-secrets.ts'
import { type SecretService, startSecretService } from '../parts/secret/service.ts'
import { type DesktopApp, startDesktopApp } from '../parts/window/desktop-app.ts'
import { keepFailure, look } from '../parts/window/look.ts'

const KEY = 'sk-keychain-e067f3a9c51d2b84'
const parts: { close(): Promise<unknown> }[] = []
let desktop: DesktopApp | undefined

afterEach(async ({ task }) => {
  await keepFailure(desktop, task)
  for (const part of parts.splice(0).reverse()) await part.close()
})

async function open(keyring: SecretService): Promise<DesktopApp> {
  parts.push(keyring)
  desktop = await startDesktopApp({ env: keyring.env })
  parts.push(desktop)
  return desktop
}

test('a locked keyring is told, keeps nothing in clear, and is used once it is unlocked', async () => {
  const keyring = await startSecretService({ locked: true })
  const { app, page, service, dataDir } = await open(keyring)
  await page.getByText('The keychain is locked.').waitFor()
  await look({ app, page }, 'keychain-locked')
  const body = { llm_model: 'openai/gpt-5', llm_api_key: KEY }
  await expect(service.client.call(storeSettings, { body })).rejects.toThrow(/keychain|keyring/i)
  expect(filesWith(dataDir, KEY)).toEqual([])

  // Nothing on this bus can ask for a password, so the prompt is refused at once.
  await page.getByRole('button', { name: 'Unlock…' }).click()
  await page.getByText(/^Still locked\./).waitFor()

  await keyring.unlock()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The keychain is locked.').waitFor({ state: 'hidden' })
  await service.client.call(storeSettings, { body })
  expect(await service.client.call(getSettings)).toMatchObject({ llm_api_key_set: true })
  expect(filesWith(dataDir, KEY)).toEqual([])
})

test('a keyring that was locked later hides which keys are set, and never says that there is none', async () => {
  const keyring = await startSecretService()
  const { app, page, service } = await open(keyring)
  // A window that opens after a model was stored welcomes nobody.
  await page.getByRole('button', { name: 'Skip for now' }).click()
  const mcp_config = { shttp_servers: [{ url: 'https://tools.example', api_key: 'k-1' }] }
  await service.client.call(storeSettings, { body: { llm_model: 'openai/gpt-5', llm_api_key: KEY, mcp_config } })
  await keyring.lock()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('The keychain is locked.').waitFor()
  await page.getByText('Whether a key is stored is not known until the keychain can be read.').first().waitFor()
  expect(await page.getByText('Not set').count()).toBe(0)
  await look({ app, page }, 'keychain-locked-model')
  await page.getByRole('link', { name: 'Tools' }).click()
  await page.getByText('They are in the keychain').waitFor()
  expect(await page.getByRole('button', { name: 'Add a tool server' }).count()).toBe(0)
  await look({ app, page }, 'keychain-locked-tools')

  await keyring.unlock()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText('https://tools.example').waitFor()
  await page.getByRole('link', { name: 'Model', exact: true }).click()
  await page.getByText('Set', { exact: true }).waitFor()
})

test('without a keyring keys are kept for the session only, and the window says so', async () => {
  const keyring = await startSecretService()
  await keyring.stopKeyring()
  const model = await startModelServer({ script: [{ text: 'Yes.' }] })
  parts.push(model)
  const { app, page, service, dataDir } = await open(keyring)
  await page.getByText('No keychain is available.').waitFor()
  await page.getByText(/gone when Atelier quits/).waitFor()
  await look({ app, page }, 'keychain-missing')
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('It is kept in memory until Atelier quits').first().waitFor()
  expect(await page.getByText('It goes to the keychain').count()).toBe(0)

  const body = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: KEY }
  await service.client.call(storeSettings, { body })
  expect(await service.client.call(testModel, { body: {} })).toMatchObject({ ok: true })
  expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(filesWith(dataDir, KEY)).toEqual([])

  await app.close()
  const again = await startDesktopApp({ env: keyring.env, dataDir })
  expect(await again.service.client.call(getSettings)).toMatchObject({
    llm_model: 'openai/scripted',
    llm_api_key_set: false,
  })
  await again.close()
})
