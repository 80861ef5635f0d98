import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { searchStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { storeProviderTokensV1 } from '../../../server/api/v1/settings/secrets.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { type FakeGitProvider, startGitProvider } from '../../fakes/git-provider.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { type GitServer, startGitServer } from '../../parts/git-server.ts'
import { type SecretService, startSecretService } from '../../parts/secret/service.ts'
import { type DesktopApp, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { keepFailure, look } from '../../parts/window/look.ts'

const LONG = { timeout: 90_000 }
const TOKEN = 'token-of-the-picker'
let keyring: SecretService
let model: ModelServer
let git: GitServer
let hub: FakeGitProvider
let lab: FakeGitProvider
let desktop: DesktopApp

beforeAll(async () => {
  keyring = await startSecretService()
  model = await startModelServer()
  git = await startGitServer({ credentials: { user: 'oauth2', password: TOKEN } })
  await git.add('zoo/cats/tiger', { 'README.md': 'A tiger\n' })
  hub = await startGitProvider()
  lab = await startGitProvider(git)
  for (const provider of [hub, lab]) provider.accepted.add(`Bearer ${TOKEN}`)
  desktop = await startDesktopApp({ env: keyring.env })
  await desktop.page.getByRole('button', { name: 'Skip for now' }).click()
  await desktop.service.client.call(storeSettingsV1, {
    body: {
      llm_model: 'openai/scripted',
      llm_base_url: model.url.openai,
      llm_api_key: 'sk-e2e',
      allowed_hosts: ['host.docker.internal'],
    },
  })
})
afterEach(({ task }) => keepFailure(desktop, task))
afterAll(async () => {
  await desktop?.close()
  await Promise.all([keyring, model, git, hub, lab].map(part => part?.close()))
})

const chip = (name: string) => desktop.page.getByRole('button', { name: new RegExp(`^${name}: `) })
const field = (label: string) => desktop.page.getByRole('combobox', { name: label, exact: true })
const option = (name: string) => desktop.page.getByRole('option', { name })
const tasks = () => desktop.page.getByRole('list', { name: 'Suggested tasks' })

test('without a token the picker leads to the place where one is added', async () => {
  const { page, service } = desktop
  await chip('Repository').click()
  await page.getByText('To search your repositories, add a token').waitFor()
  await look(desktop, 'repository-picker-no-token')
  await page.getByRole('link', { name: 'Open Settings › Git' }).click()
  await page.getByRole('heading', { name: 'Git', exact: true }).waitFor()
  const provider_tokens = {
    github: { token: TOKEN, host: hub.address },
    gitlab: { token: TOKEN, host: lab.address },
  }
  await service.client.call(storeProviderTokensV1, { body: { provider_tokens } })
  await page.getByRole('link', { name: 'New conversation' }).first().click()
  await tasks().waitFor()
  await look(desktop, 'suggested-tasks')
})

test('a repository of any provider, then its branch, are chosen by keyboard', LONG, async () => {
  const { page } = desktop
  await chip('Repository').click()
  await field('Repository').fill('tiger')
  await option('zoo/cats/tiger').waitFor()
  await look(desktop, 'repository-picker-found')
  await field('Repository').press('ArrowDown')
  await field('Repository').press('Enter')
  await expect.poll(() => field('Repository').inputValue()).toBe('zoo/cats/tiger')
  await page.keyboard.press('Escape')
  await chip('Branch').click()
  await field('Branch').press('ArrowDown')
  await option('feature/one').waitFor()
  await look(desktop, 'repository-picker-branches')
  await field('Branch').fill('two')
  await option('feature/two').click()
  await page.keyboard.press('Escape')
  await chip('Branch').getByText('feature/two').waitFor()
})

test('a provider that is down is named, and hides no other', LONG, async () => {
  const { page } = desktop
  hub.mood = 'down'
  await chip('Repository').click()
  await field('Repository').fill('lion')
  await option('zoo/cats/lion').waitFor()
  await page
    .getByText(/GitHub at localhost:\d+ answered with status 502/)
    .first()
    .waitFor()
  await look(desktop, 'repository-picker-one-down')
  lab.mood = 'down'
  await field('Repository').fill('panther')
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).waitFor()
  await look(desktop, 'repository-picker-all-down')
  hub.mood = 'well'
  lab.mood = 'well'
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No repository of this name was found.').waitFor()
  await field('Repository').fill('')
  await page.keyboard.press('Escape')
})

test('a suggested task starts a conversation in its repository, with its words', LONG, async () => {
  const { service } = desktop
  model.setScript([{ toolCalls: [{ name: 'finish', arguments: { message: 'The conflicts are resolved.' } }] }])
  await tasks().getByRole('listitem').filter({ hasText: 'zoo/cats/tiger#1' }).getByRole('button').click()
  await desktop.page.getByText('The conflicts are resolved.').first().waitFor({ timeout: 60_000 })
  const { items } = await service.client.call(searchStartTasks, { query: { limit: 1 } })
  expect(items[0]?.request).toMatchObject({
    selected_repository: 'zoo/cats/tiger',
    git_provider: 'gitlab',
    trigger: 'suggested_task',
    initial_message: {
      content: [{ text: expect.stringContaining('Resolve the merge conflicts of merge request #1') }],
    },
  })
})
