import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listLlmProfilesV1 } from '../../server/api/v1/settings/llm-profiles.ts'
import { storeProviderTokensV1 } from '../../server/api/v1/settings/secrets.ts'
import { getSettings, storeSettings } from '../../server/api/v1/settings/settings.ts'
import { type FakeGitProvider, startGitProvider } from '../fakes/git-provider.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { type SecretService, startSecretService } from '../parts/secret/service.ts'
import { type DesktopApp, startDesktopApp } from '../parts/window/desktop-app.ts'
import { keepFailure, look } from '../parts/window/look.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-saved-'))
const KEY = 'sk-e2e-saved-5d20'
let keyring: SecretService
let model: ModelServer
let provider: FakeGitProvider
let desktop: DesktopApp

beforeAll(async () => {
  keyring = await startSecretService()
  model = await startModelServer()
  provider = await startGitProvider()
  provider.accepted.add('Bearer glpat-e2e')
  desktop = await startDesktopApp({ env: keyring.env })
  await desktop.page.getByRole('button', { name: 'Skip for now' }).click()
  const { client } = desktop.service
  await client.call(storeSettings, {
    body: { llm_model: 'openai/small', llm_base_url: model.url.openai, llm_api_key: KEY },
  })
  const provider_tokens = { gitlab: { token: 'glpat-e2e', host: provider.address } }
  await client.call(storeProviderTokensV1, { body: { provider_tokens } })
  await desktop.page.getByRole('link', { name: 'Settings' }).click()
})
afterEach(({ task }) => keepFailure(desktop, task))
afterAll(async () => {
  await desktop?.close()
  await Promise.all([keyring, model, provider].map(part => part?.close()))
  rmSync(FOLDER, { recursive: true, force: true })
})

const section = (name: string) =>
  desktop.page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: false })
const saved = () => desktop.service.client.call(listLlmProfilesV1)
const models = () => desktop.page.getByRole('list', { name: 'Saved models' })

async function saveAs(name: string): Promise<void> {
  const { page } = desktop
  await page.getByRole('button', { name: 'Save this model …' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await models().getByText(name, { exact: true }).waitFor()
}

test('a stored token is tested without typing it again: good, revoked, provider away', async () => {
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

test('models are saved under names, renamed, used and deleted, and no key is shown', async () => {
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

test('a replay is offered beside the task, and can be left', async () => {
  const { page } = desktop
  await page.keyboard.press('Control+n')
  await page.getByRole('button', { name: 'Replay a saved log …' }).waitFor()
  await look(desktop, 'replay-offered')
  await page.getByRole('button', { name: 'Replay a saved log …' }).click()
  await page.getByRole('dialog', { name: 'Replay a saved log' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('textbox', { name: 'What should the agent do' }).waitFor()
})

test('a saved log is replayed from the palette; what is none is refused in words', async () => {
  const { page } = desktop
  await page.keyboard.press('Control+k')
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

test('a conversation takes another saved model in its menu', async () => {
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

test('a deleted saved model is gone, and its conversation goes on', async () => {
  const { page } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  await models().getByRole('button', { name: 'Delete thorough' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await saved()).profiles.map(({ name }) => name)).toEqual(['fast'])
  await models().getByText('fast', { exact: true }).waitFor()
  await expect.poll(() => models().getByText('thorough', { exact: true }).count()).toBe(0)
})
