import { chmodSync } from 'node:fs'
import { expect } from 'vitest'
import { getSettings, getSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/window.ts'
import { newDataDir, removeDataDir } from '../../parts/window/desktop-app.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    // As /tmp is: a folder of many, which is not the app's to close.
    chmodSync(dataDir, 0o1777)
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  .extend('settings', { scope: 'file' }, null)
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, dataDir }) => ({ env: keyring.env, dataDir }))
  .extend('stored', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.service.client.call(getSettings)
  })
  .extend('section', { scope: 'file' }, ({ desktop }) => async (name: string): Promise<void> => {
    await desktop.page.getByRole('main').getByRole('link', { name, exact: true }).click()
    await desktop.page.getByRole('heading', { name, exact: true }).waitFor()
  })
  .extend('save', { scope: 'file' }, ({ desktop }) => async (): Promise<void> => {
    const { page } = desktop
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'hidden' })
  })

const KEY = 'sk-settings-51d2b84e067f3a9c'

test.beforeAll(async ({ desktop }) => {
  await desktop.page.getByRole('button', { name: 'Skip for now' }).click()
  await desktop.page.getByRole('link', { name: 'Settings' }).click()
})

test('a key is shown as set and never again as text', async ({ desktop, save, stored }) => {
  const { page } = desktop
  await page.getByLabel('Model', { exact: true }).fill('anthropic/claude-sonnet-4-5')
  await page.getByLabel('Key', { exact: true }).fill(KEY)
  await look(desktop, 'settings-model-unsaved')
  await save()
  await page.getByText('Set', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Set', { exact: true }).waitFor()
  await look(desktop, 'settings-model')
  expect(await page.evaluate(() => document.documentElement.innerHTML)).not.toContain(KEY)
  expect(await stored()).toMatchObject({ llm_model: 'anthropic/claude-sonnet-4-5', llm_api_key_set: true })
  expect(JSON.stringify(await stored())).not.toContain(KEY)
})

test('saving one page keeps what the others saved', async ({ desktop, section, save, stored }) => {
  const { page } = desktop
  await section('Agent')
  await page.getByLabel('Steps per conversation').fill('77')
  await look(desktop, 'settings-agent')
  await save()
  await section('Sandbox')
  await page.getByLabel('Resources').fill('2')
  await look(desktop, 'settings-sandbox')
  await save()
  expect(await stored()).toMatchObject({
    llm_model: 'anthropic/claude-sonnet-4-5',
    llm_api_key_set: true,
    max_iterations: 77,
    remote_runtime_resource_factor: 2,
  })
})

test('a host that sandboxes may reach is allowed, and taken back', async ({ desktop, section }) => {
  const { page } = desktop
  await section('Privacy')
  await page.getByText('Nobody but you may name a host').waitFor()
  await page.getByLabel('Host', { exact: true }).fill('not a host')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('is no host').waitFor()
  await look(desktop, 'settings-hosts-refused')
  await page.getByLabel('Host', { exact: true }).fill('LocalHost:8080')
  await page.getByRole('button', { name: 'Allow' }).click()
  const row = page.getByRole('list', { name: 'Hosts that sandboxes may reach' }).getByText('localhost:8080')
  await row.waitFor()
  await look(desktop, 'settings-hosts')
  await page.getByRole('button', { name: 'Remove localhost:8080' }).click()
  await row.waitFor({ state: 'detached' })
})

test('a value that does not fit is marked and not saved', async ({ desktop, section }) => {
  const { page } = desktop
  await section('Agent')
  await page.getByLabel('Steps per conversation').fill('many')
  await page.getByRole('button', { name: 'Save' }).and(page.locator('[data-disabled]')).waitFor()
  await look(desktop, 'settings-invalid')
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await page.getByLabel('Steps per conversation').inputValue()).toBe('77')
})

test('the message of the last saving stands above the bar of the next change', async ({ desktop, save, stored }) => {
  const { page } = desktop
  const button = page.getByRole('button', { name: 'Save', exact: true })
  const message = page.getByRole('region', { name: 'Notices' }).getByRole('group').first()
  const bottom = async () => {
    const { y = 0, height = 0 } = (await message.boundingBox()) ?? {}
    return y + height
  }
  await page.getByLabel('Steps per conversation').fill('78')
  await save()
  // Its clock stands still as long as the pointer is there; the bar moves it away from the pointer.
  await message.hover()
  await page.getByLabel('Steps per conversation').fill('77')
  await button.waitFor()
  await message.hover()
  await expect.poll(bottom).toBeLessThanOrEqual((await button.boundingBox())?.y ?? 0)
  await save()
  expect(await stored()).toMatchObject({ max_iterations: 77 })
})

test('leaving with changes asks first', async ({ desktop, stored }) => {
  const { page } = desktop
  await page.getByLabel('Steps per conversation').fill('5')
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  await page.getByRole('alertdialog').waitFor()
  await look(desktop, 'settings-leaving')
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await page.getByRole('heading', { name: 'Sandboxes', exact: true }).waitFor()
  expect(await stored()).toMatchObject({ max_iterations: 77 })
})

test('the remaining pages tell about the API and the machine', async ({ desktop, section }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  await section('Local API')
  await page.getByText(desktop.service.url).first().waitFor()
  await page.getByRole('region', { name: 'Browsers' }).getByText('No browser is logged in.').waitFor()
  await look(desktop, 'settings-api')
  expect(await page.locator('body').textContent()).not.toContain(desktop.service.key)
  await section('About and system')
  await page.getByText(desktop.dataDir).first().waitFor()
  await page.getByText('Other users of this computer can read this folder').waitFor()
  await look(desktop, 'settings-about')

  await page.getByRole('button', { name: 'Third-party notices' }).press('Enter')
  const notices = page.getByRole('dialog', { name: 'Third-party notices' })
  await notices
    .getByRole('status')
    .getByText(/^\d{3} packages$/)
    .waitFor()
  await look(desktop, 'settings-notices')
  await notices.getByRole('searchbox', { name: 'Filter by package name' }).fill('zod')
  await notices.getByRole('heading', { name: /^zod \d+\.\d+\.\d+ MIT$/ }).waitFor()
  await notices.getByText('Permission is hereby granted').first().waitFor()
  await look(desktop, 'settings-notices-found')
  await notices.getByRole('searchbox').fill('no package has this name')
  await notices.getByText('No package’s name has that in it.').waitFor()
  await page.keyboard.press('Escape')
  await notices.waitFor({ state: 'hidden' })
})

test('older clients get the kinds of events that they know', async ({ desktop, section, save }) => {
  const { page } = desktop
  const chosen = async () => (await desktop.service.client.call(getSettingsV1)).event_dialect
  await section('Local API')
  for (const [choice, value] of [
    ['Those of November 2025', '2025'],
    ['As each client asks', null],
  ] as const) {
    await page.getByRole('combobox', { name: 'Kinds of events for agent clients' }).click()
    await page.getByRole('option', { name: choice }).click()
    await save()
    expect(await chosen()).toBe(value)
  }
  await look(desktop, 'settings-api-event-dialect')
})

test('clearing the key takes it out of the keyring', async ({ desktop, section, save, stored }) => {
  const { page } = desktop
  await section('Model')
  await page.getByRole('button', { name: 'Remove: Key' }).click()
  await save()
  await page.locator('#setting-llm_api_key').getByText('Not set').waitFor()
  expect(await stored()).toMatchObject({ llm_api_key_set: false, llm_model: 'anthropic/claude-sonnet-4-5' })
})
