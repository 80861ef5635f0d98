import { expect } from 'vitest'
import { listSecrets } from '../../../server/api/v1/settings/secrets.ts'
import { getSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend(
    'settings',
    { scope: 'file' },
    { llm_model: 'openai/gpt-5', llm_api_key: 'sk-settings-1', language: 'en-AU', max_budget_per_task: 2 },
  )
  .extend('section', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: false })
  })
  .extend('stored', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.service.client.call(getSettings)
  })
  .extend('save', { scope: 'file' }, ({ desktop }) => async () => {
    await desktop.page.getByRole('button', { name: 'Save', exact: true }).click()
    await desktop.page.getByRole('button', { name: 'Discard', exact: true }).waitFor({ state: 'detached' })
  })

const VALUE = 'npm-e2e-4c1d90ab'

test.beforeAll(async ({ desktop }) => {
  await desktop.page.getByRole('link', { name: 'Settings' }).click()
})

test('what is changed in several sections is saved at once, and nothing else is touched', async ({
  desktop,
  section,
  save,
  stored,
}) => {
  const { page } = desktop
  await section('Agent').click()
  await page.getByLabel('Steps per conversation').fill('0')
  await page.getByText('Give a whole number, 1 or more.').waitFor()
  await section('Git').click()
  await page.getByLabel('Name').fill('Ada')
  await section('Agent').getByText('wrong').waitFor()
  await section('Agent').click()
  await page.getByLabel('Steps per conversation').fill('40')
  await page.getByRole('switch', { name: 'Ask before acting' }).click()
  await page.getByText('3 changes not saved.').waitFor()
  await look(desktop, 'settings-forms-agent')
  await save()
  const settings = await stored()
  expect(settings).toMatchObject({ max_iterations: 40, git_user_name: 'Ada', confirmation_mode: true })
  expect(settings).toMatchObject({ language: 'en-AU', max_budget_per_task: 2, llm_api_key_set: true })
})

test('the search goes to a setting of another section, by keyboard alone', async ({ desktop, section }) => {
  const { page } = desktop
  const search = page.getByLabel('Search the settings')
  await search.fill('base url')
  await look(desktop, 'settings-forms-search')
  await search.press('Enter')
  await page.getByRole('heading', { name: 'Model', exact: true }).waitFor()
  await expect
    .poll(() => page.getByLabel('Address', { exact: true }).evaluate(field => field === document.activeElement))
    .toBe(true)
  await search.press('Escape')
  await section('Privacy').waitFor()
})

test('what is only stored for other clients is folded until the search leads to it', async ({ desktop, section }) => {
  const { page } = desktop
  await section('Appearance and language').click()
  const address = page.getByRole('textbox', { name: 'Email' })
  await page.getByText('Only stored for other clients of the API.').waitFor()
  expect(await address.isVisible()).toBe(false)
  const search = page.getByLabel('Search the settings')
  await search.fill('mail address')
  await search.press('Enter')
  await address.waitFor()
  await expect.poll(() => address.evaluate(field => field === document.activeElement)).toBe(true)
  await look(desktop, 'settings-forms-folded')
  await search.fill('')
})

test('a key is removed on purpose only', async ({ desktop, section, stored, save }) => {
  const { page } = desktop
  await section('Model').click()
  await page.getByRole('button', { name: 'Remove: Key' }).click()
  await page.getByRole('button', { name: 'Keep: Key' }).click()
  expect((await stored()).llm_api_key_set).toBe(true)
  await page.getByRole('button', { name: 'Remove: Key' }).click()
  await save()
  expect((await stored()).llm_api_key_set).toBe(false)
})

test('how the model is asked is checked at its field, and kept', async ({ desktop, section, save, stored }) => {
  const { page } = desktop
  await section('Model').click()
  await page.getByLabel('Temperature').fill('7')
  await page.getByText('Give a number from 0 to 2.').waitFor()
  await look(desktop, 'settings-forms-asked')
  await page.getByLabel('Temperature').fill('0.5')
  await page.getByLabel('US $ per million input tokens').fill('0.15')
  await save()
  expect((await stored()).llm_price_known).toBe(true)
  await page.reload()
  await expect.poll(() => page.getByLabel('US $ per million input tokens').inputValue()).toBe('0.15')
  await expect.poll(() => page.getByLabel('Temperature').inputValue()).toBe('0.5')
})

test('a tool server is checked at its fields, added, and removed again', async ({ desktop, section, save, stored }) => {
  const { page } = desktop
  await section('Tools').click()
  await page.getByRole('button', { name: 'Add a tool server' }).click()
  const form = page.getByRole('form', { name: 'Add a tool server' })
  await form.getByLabel('Name').fill('two words')
  await form.getByLabel('Command').fill('npx')
  await form.getByLabel('Arguments').fill('-y\n@example/server')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('Use letters, digits, _ and - only.').waitFor()
  await look(desktop, 'settings-forms-tool-server')
  await form.getByLabel('Name').fill('files')
  await form.getByLabel('Name').press('Enter')
  await page.getByRole('list', { name: 'Tool servers' }).getByText('npx -y @example/server').waitFor()
  await save()
  const server = { name: 'files', command: 'npx', args: ['-y', '@example/server'], env: {} }
  expect((await stored()).mcp_config?.stdio_servers).toEqual([server])
  await page.getByRole('button', { name: 'Remove files' }).click()
  await save()
  expect((await stored()).mcp_config?.stdio_servers).toEqual([])
})

test('a secret is added, renamed and deleted; its value is never shown', async ({ desktop, section }) => {
  const { page, service } = desktop
  await section('Secrets').click()
  await page.getByRole('button', { name: 'Add a secret' }).click()
  await page.getByLabel('Name').fill('NPM_TOKEN')
  await page.getByLabel('Value').fill(VALUE)
  await page.getByLabel('Description').fill('Publishes packages.')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Edit NPM_TOKEN' }).click()
  await page.getByLabel('Name').fill('REGISTRY_TOKEN')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit REGISTRY_TOKEN' }).waitFor()
  await look(desktop, 'settings-forms-secrets')
  const { custom_secrets } = await service.client.call(listSecrets)
  expect(custom_secrets).toEqual([{ name: 'REGISTRY_TOKEN', description: 'Publishes packages.' }])
  expect(await page.content()).not.toContain(VALUE)
  await page.getByRole('button', { name: 'Remove REGISTRY_TOKEN' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No secrets yet.').waitFor()
})

test('a token that cannot be checked is not stored, and says so', async ({ desktop, section, stored }) => {
  const { page } = desktop
  await section('Git').click()
  await page.getByRole('button', { name: 'Add the token of GitLab' }).click()
  const form = page.getByRole('form', { name: 'GitLab token' })
  await form.getByLabel('Token').fill('glpat-e2e')
  await form.getByLabel('Host').fill('http://127.0.0.1:9')
  await page.getByRole('button', { name: 'Check and save' }).click()
  await form.getByRole('alert').waitFor()
  await look(desktop, 'settings-forms-token')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect((await stored()).provider_tokens_set).toEqual({})
})

test.for(['Sandbox', 'Notifications', 'Appearance and language', 'Privacy', 'Local API'])(
  '%s can be read by everybody, in any width',
  async (name, { section, desktop }) => {
    await section(name).click()
    await desktop.page.getByRole('heading', { name, exact: true }).waitFor()
    await look(desktop, `settings-forms-${name.toLowerCase().replaceAll(' ', '-')}`)
  },
)
