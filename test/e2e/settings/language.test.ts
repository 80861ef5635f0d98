import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { type SecretService, startSecretService } from '../../parts/secret/service.ts'
import { type DesktopApp, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { keepFailure, look } from '../../parts/window/look.ts'

let keyring: SecretService
let model: ModelServer
let desktop: DesktopApp
let conversation: string

beforeAll(async () => {
  keyring = await startSecretService()
  model = await startModelServer()
  desktop = await startDesktopApp({ env: keyring.env })
  await desktop.page.getByRole('button', { name: 'Skip for now' }).click()
  await desktop.service.client.call(storeSettingsV1, {
    body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-e2e' },
  })
  model.setScript([tool('terminal', { command: 'echo one >one.txt; ls /nowhere' }), { text: 'There is one file.' }])
  const task = await startConversation(desktop.service, { title: 'Files', initial_message: said('Make a file') })
  conversation = task.app_conversation_id ?? ''
})
afterEach(({ task }) => keepFailure(desktop, task))
afterAll(async () => {
  await desktop?.close()
  await Promise.all([keyring, model].map(part => part?.close()))
})

const go = (route: string) => desktop.page.evaluate(address => location.assign(address), `#${route}`)
const spoken = () => desktop.page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])
const menus = () =>
  desktop.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items[0]?.submenu?.items.map(({ label }) => label))

test('is chosen in the settings, and the window and its menus are in it at once', async () => {
  const { page } = desktop
  expect(await spoken()).toEqual(['en', 'ltr'])
  expect(await menus()).toContain('New Conversation')
  await go('/settings/general')
  await page.getByRole('combobox', { name: 'Language' }).click()
  await look(desktop, 'language-choice')
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(spoken).toEqual(['de', 'ltr'])
  await page
    .getByRole('heading', { name: 'Sprache' })
    .or(page.getByText('Sprache', { exact: true }))
    .first()
    .waitFor()
  await expect.poll(menus).not.toContain('New Conversation')
})

test.each([
  ['de', 'ltr'],
  ['ja', 'ltr'],
  ['ar', 'rtl'],
])('%s is shown on every page', async (language, direction) => {
  const { page, service } = desktop
  await go('/settings/general')
  await service.client.call(storeSettingsV1, { body: { language } })
  await expect.poll(spoken).toEqual([language, direction])
  await page.locator('main').waitFor()
  await look(desktop, `language-${language}-settings`)
  await go('/')
  await page.getByRole('textbox').last().waitFor()
  await look(desktop, `language-${language}-launcher`)
  await go(`/conversations/${conversation}`)
  await page.getByText('There is one file.').waitFor()
  await look(desktop, `language-${language}-conversation`)
  await go('/sandboxes')
  await page.locator('main').getByRole('heading').first().waitFor()
  await look(desktop, `language-${language}-sandboxes`)
})

test('where reading goes from right to left the panel stands at the left, and is made wider to the right', async () => {
  const { page, service } = desktop
  await go('/settings/general')
  await service.client.call(storeSettingsV1, { body: { language: 'ar' } })
  await expect.poll(spoken).toEqual(['ar', 'rtl'])
  await go(`/conversations/${conversation}`)
  await page.getByText('There is one file.').waitFor()
  const separator = page.getByRole('separator')
  const place = async () => (await separator.boundingBox())?.x ?? 0
  const before = await place()
  const composer = (await page.getByRole('textbox').last().boundingBox())?.x ?? 0
  expect(before).toBeLessThan(composer)
  await page.mouse.move(before, 300)
  await page.mouse.down()
  await page.mouse.move(before + 60, 300, { steps: 4 })
  await page.mouse.up()
  await expect.poll(place).toBeGreaterThan(before + 40)
  const tabs = page.getByRole('tab')
  await tabs.first().click()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => tabs.nth(1).evaluate(tab => tab === document.activeElement)).toBe(true)
})

test('is that of the system where the settings say none, and one that there is not', async () => {
  const { service } = desktop
  await go('/settings/general')
  for (const language of ['no', null]) {
    await service.client.call(storeSettingsV1, { body: { language } })
    await expect.poll(spoken).toEqual(['en', 'ltr'])
  }
})
