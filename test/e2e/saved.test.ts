import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { listLlmProfilesV1 } from '../../server/api/v1/settings/llm-profiles.ts'
import { storeProviderTokensV1 } from '../../server/api/v1/settings/secrets.ts'
import { getSettings, storeSettings } from '../../server/api/v1/settings/settings.ts'
import { startGitProvider } from '../fakes/git-provider.ts'
import { it as base } from '../fixtures/window.ts'
import { hasFocus } from '../parts/window/focus.ts'
import { look } from '../parts/window/look.ts'

const test = base
  .extend('provider', { scope: 'file' }, async ({}, { onCleanup }) => {
    const provider = await startGitProvider()
    onCleanup(() => provider.close())
    return provider
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/small',
    llm_base_url: model.url.openai,
    llm_api_key: KEY,
  }))
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, provider }) => {
    provider.accepted.add('Bearer glpat-e2e')
    return { env: keyring.env }
  })
  .extend('section', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: false })
  })
  .extend('saved', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.service.client.call(listLlmProfilesV1)
  })
  .extend('models', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('list', { name: 'Saved models' })
  })
  .extend('saveAs', { scope: 'file' }, ({ desktop, models }) => async (name: string): Promise<void> => {
    const { page } = desktop
    await page.getByRole('button', { name: 'Save this model …' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await models().getByText(name, { exact: true }).waitFor()
  })

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-saved-'))
const KEY = 'sk-e2e-saved-5d20'

test.beforeAll(async ({ desktop, provider }) => {
  const { client } = desktop.service
  const provider_tokens = { gitlab: { token: 'glpat-e2e', host: provider.address } }
  await client.call(storeProviderTokensV1, { body: { provider_tokens } })
  await desktop.page.getByRole('link', { name: 'Settings' }).click()
})
afterAll(() => {
  rmSync(FOLDER, { recursive: true, force: true })
})

test('a stored token is tested without typing it again: good, revoked, provider away', async ({
  desktop,
  section,
  provider,
}) => {
  const { page } = desktop
  await section('Git').click()
  const rows = page.getByRole('list', { name: 'Git providers' })
  const press = () => rows.getByRole('button', { name: 'Test the token of GitLab' }).click()
  await press()
  await rows.getByText('GitLab knows the token as tanuki’s.').waitFor()
  await look(desktop, 'saved-token-good')
  provider.accepted.clear()
  await press()
  await rows.getByRole('alert').getByText('refuses the stored token').waitFor()
  provider.mood = 'down'
  await press()
  await rows.getByRole('alert').getByText('answered with status 502').waitFor()
  await look(desktop, 'saved-token-away')
})

test('models are saved under names, renamed, used and deleted, and no key is shown', async ({
  desktop,
  section,
  saveAs,
  models,
  saved,
}) => {
  const { page, service } = desktop
  await section('Model').click()
  await page.getByText('No saved models.').waitFor()
  await page.getByRole('button', { name: 'Save this model …' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('two words')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Letters, digits').waitFor()
  await look(desktop, 'saved-model-name')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await saveAs('quick')
  await service.client.call(storeSettings, { body: { llm_model: 'openai/large' } })
  await expect.poll(() => page.getByLabel('Model', { exact: true }).inputValue()).toBe('openai/large')
  await saveAs('thorough')
  await models().getByRole('button', { name: 'Rename quick' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('fast')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await models().getByText('fast', { exact: true }).waitFor()
  await models().scrollIntoViewIfNeeded()
  await look(desktop, 'saved-models')
  await models().getByRole('button', { name: 'Use fast' }).click()
  await expect.poll(async () => (await service.client.call(getSettings)).llm_model).toBe('openai/small')
  expect(await saved()).toMatchObject({
    active_profile: 'fast',
    profiles: [{ api_key_set: true }, { name: 'thorough' }],
  })
  expect(await page.content()).not.toContain(KEY)
})

const JSON_LOG = JSON.stringify([
  { action: 'message', source: 'user', args: { content: '**Make** a `proof`' } },
  { action: 'run', source: 'agent', args: { command: 'echo made >proof; cat proof' } },
  { action: 'finish', source: 'agent', args: { final_thought: 'It is made.' } },
])

test('a replay is offered beside the task, and can be left', async ({ desktop }) => {
  const { page } = desktop
  await page.keyboard.press('Control+n')
  await page.getByRole('button', { name: 'Replay a saved log …' }).waitFor()
  await look(desktop, 'replay-offered')
  await page.getByRole('button', { name: 'Replay a saved log …' }).click()
  await page.getByRole('dialog', { name: 'Replay a saved log' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('textbox', { name: 'What should the agent do' }).waitFor()
})

test('a saved log is replayed from the palette; what is none is refused in words', async ({ desktop, model }) => {
  const { page } = desktop
  await page.keyboard.press('Control+k')
  await hasFocus(page.getByRole('combobox', { name: 'Go to' }))
  await page.keyboard.type('replay')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Replay a saved log' })
  await dialog.getByRole('button', { name: 'Choose a file …' }).waitFor()
  await look(desktop, 'replay-empty')
  const choose = async (name: string, content: string) => {
    writeFileSync(join(FOLDER, name), content)
    await dialog.getByLabel('Saved log').setInputFiles(join(FOLDER, name))
  }
  await choose('notes.json', '{"a": 1}')
  await dialog.getByRole('alert').getByText('no list of events').waitFor()
  await look(desktop, 'replay-refused')
  await choose('log.json', JSON_LOG)
  await dialog.getByText('log.json has 2 steps of the agent.').waitFor()
  await look(desktop, 'replay-chosen')
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.locator('header').getByRole('status').getByText('done', { exact: true }).waitFor()
  await page.locator('header').getByText('Make a proof').waitFor()
  expect(model.requests).toEqual([])
})

test('a conversation takes another saved model in its menu', async ({ desktop, model }) => {
  const { page } = desktop
  model.setScript([{ text: 'I am large.' }])
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /Switch the model/ }).press('ArrowRight')
  await page.getByRole('menuitem', { name: /thorough/ }).waitFor()
  await look(desktop, 'switch-model')
  await page.getByRole('menuitem', { name: /thorough/ }).click()
  await page.getByText('The next step will use openai/large.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Who are you?')
  await page.keyboard.press('Control+Enter')
  await page.getByText('I am large.').waitFor()
  expect(model.requests.map(({ body, headers }) => [body.model, headers.authorization])).toEqual([
    ['large', `Bearer ${KEY}`],
  ])
})

test('a deleted saved model is gone, and its conversation goes on', async ({ desktop, models, saved }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  await models().getByRole('button', { name: 'Delete thorough' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await saved()).profiles.map(({ name }) => name)).toEqual(['fast'])
  await models().getByText('fast', { exact: true }).waitFor()
  await expect.poll(() => models().getByText('thorough', { exact: true }).count()).toBe(0)
})
