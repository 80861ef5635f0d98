import { expect } from 'vitest'
import { searchStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { storeProviderTokensV1 } from '../../../server/api/v1/settings/secrets.ts'
import { startGitProvider } from '../../fakes/git-provider.ts'
import { it as base } from '../../fixtures/window.ts'
import { startGitServer } from '../../parts/git-server.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('git', { scope: 'file' }, async ({}, { onCleanup }) => {
    const git = await startGitServer({ credentials: { user: 'oauth2', password: TOKEN } })
    onCleanup(() => git.close())
    return git
  })
  .extend('hub', { scope: 'file' }, async ({ git }, { onCleanup }) => {
    await git.add('zoo/cats/tiger', { 'README.md': 'A tiger\n' })
    const hub = await startGitProvider()
    onCleanup(() => hub.close())
    return hub
  })
  .extend('lab', { scope: 'file' }, async ({ git }, { onCleanup }) => {
    const lab = await startGitProvider(git)
    onCleanup(() => lab.close())
    return lab
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
    allowed_hosts: ['host.docker.internal'],
  }))
  .extend('desktopOptions', { scope: 'file' }, ({ hub, lab, keyring }) => {
    for (const provider of [hub, lab]) provider.accepted.add(`Bearer ${TOKEN}`)
    return { env: keyring.env }
  })
  .extend('chip', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('button', { name: new RegExp(`^${name}: `) })
  })
  .extend('field', { scope: 'file' }, ({ desktop }) => (label: string) => {
    return desktop.page.getByRole('combobox', { name: label, exact: true })
  })
  .extend('option', { scope: 'file' }, ({ desktop }) => (name: string) => {
    return desktop.page.getByRole('option', { name })
  })
  .extend('tasks', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('list', { name: 'Suggested tasks' })
  })

const TOKEN = 'token-of-the-picker'
test('without a token the picker leads to the place where one is added', async ({ desktop, chip, hub, lab, tasks }) => {
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

test('a repository of any provider, then its branch, are chosen by keyboard', async ({
  desktop,
  chip,
  field,
  option,
}) => {
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

test('a provider that is down is named, and hides no other', async ({ desktop, hub, chip, field, option, lab }) => {
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

test('a suggested task starts a conversation in its repository, with its words', async ({ desktop, model, tasks }) => {
  const { service } = desktop
  model.setScript([{ toolCalls: [{ name: 'finish', arguments: { message: 'The conflicts are resolved.' } }] }])
  await tasks().getByRole('listitem').filter({ hasText: 'zoo/cats/tiger#1' }).getByRole('button').click()
  await desktop.page.getByText('The conflicts are resolved.').first().waitFor()
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
