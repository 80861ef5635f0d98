import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startGithubWithRepositories, storeToken } from '../../parts/provider-repository.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('remote', { scope: 'file' }, async ({}, { onCleanup }) => {
    const remote = await startGithubWithRepositories({ 'price.py': 'PRICE = 1\n' })
    onCleanup(() => remote.close())
    return remote
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/gpt-5',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
    allowed_hosts: ['host.docker.internal'],
    git_user_name: 'Ada',
    git_user_email: 'ada@example.invalid',
  }))
  .extend('button', { scope: 'file' }, ({ desktop }) => (name: string | RegExp) => {
    return desktop.page.getByRole('button', { name })
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => (name: string | RegExp) => {
    return desktop.page.getByRole('dialog', { name })
  })
  .extend('card', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('region', { name: 'Waiting for you' })
  })
  .extend('onRemote', { scope: 'file' }, ({ remote }) => async (repository: string, ...args: string[]) => {
    return (await remote.git.git(repository, ...args)).trim()
  })
  .extend('opened', { scope: 'file' }, ({ remote }) => () => {
    return remote.provider.pullRequests.opened
  })

test.beforeAll(async ({ desktop, remote }) => {
  await storeToken(desktop.service, remote.provider, 'github')
})

const tool = (name: string, args: Record<string, unknown> = {}) => ({ toolCalls: [{ name, arguments: args }] })
const run = (command: string) => tool('terminal', { command })
const finish = (message: string) => tool('finish', { message })

test('from a repository to a merged pull request, its failing check mended by the agent', async ({
  desktop,
  button,
  model,
  dialog,
  onRemote,
  opened,
  remote,
  card,
}) => {
  const { page } = desktop
  await button(/^Repository: /).click()
  const repository = page.getByRole('combobox', { name: 'Repository', exact: true })
  await repository.fill('hello')
  const found = page.getByRole('option', { name: 'octocat/hello' })
  await found.waitFor()
  await repository.press('ArrowDown')
  await found.and(page.locator('[data-highlighted]')).waitFor()
  await repository.press('Enter')
  await expect.poll(() => repository.inputValue()).toBe('octocat/hello')
  await page.keyboard.press('Escape')
  model.setScript([run('echo "PRICE = 3" >price.py'), finish('The price is doubled.')])
  const task = page.getByRole('textbox', { name: 'What should the agent do' })
  await task.pressSequentially('Double the price.')
  await task.press('Control+Enter')
  await page.getByText('The price is doubled.').waitFor()

  await page.getByText('1 file to commit').waitFor()
  model.setScript([{ text: 'Double the price\n\nAs asked.' }])
  await button('Commit…').click()
  const commit = dialog('Commit changes')
  await commit.getByRole('button', { name: 'Draft' }).click()
  await expect.poll(() => commit.getByLabel('Message').inputValue()).toBe('Double the price\n\nAs asked.')
  const branch = await commit.getByLabel('New branch').inputValue()
  expect(branch).toMatch(/^atelier\/\w{8}$/)
  await look(desktop, 'journey-repository-commit')
  await commit.getByRole('button', { name: 'Commit 1 file' }).click()
  await page.getByText(`1 file was committed on ${branch}.`).waitFor()
  await button('Push…').click()
  await dialog('Push to origin?')
    .getByRole('button', { name: `Push ${branch}` })
    .click()
  await page.getByText(`${branch} was pushed to origin.`).waitFor()
  expect(await onRemote('octocat/hello', 'log', '-1', '--format=%s by %an', branch)).toBe('Double the price by Ada')
  await button('Pull request…').click()
  const request = dialog('Open a pull request')
  expect(await request.getByLabel('Title').inputValue()).toBe('Double the price')
  await request.getByRole('button', { name: 'Open pull request' }).click()
  await page.getByText('Pull request #1 is open.').waitFor()
  expect(opened()).toMatchObject([{ kind: 'github', repository: 'octocat/hello', head: branch, base: 'main' }])

  const checksOf = async (passed: boolean, merged = false) => {
    const sha = await onRemote('octocat/hello', 'rev-parse', branch)
    const log = '2026-01-02T03:04:05.1234567Z ##[group]pytest\n2026-01-02T03:04:06.1234567Z ##[error]assert 3 == 2\n'
    const checks = [
      { id: 901, name: 'unit tests', passed, log },
      { id: 902, name: 'lint', passed: true },
    ]
    remote.provider.pullRequests.set(1, { sha, checks, merged })
  }
  await checksOf(false)
  await button(/^Pull request #1: /).click()
  const status = dialog('Pull request #1')
  await status.getByRole('img', { name: 'failed' }).waitFor()
  await look(desktop, 'journey-repository-failing')
  const turns = [
    run('echo "PRICE = 2" >price.py; git commit -qam "Double it, and no more"'),
    tool('push_branch'),
    finish('The check should pass now.'),
  ]
  model.setScript(async (_request, index) => {
    // It has been pushed by then.
    if (index === 2) await checksOf(true)
    return turns[index] ?? { text: 'Nothing more.' }
  })
  await status.getByRole('button', { name: 'Fix the failing checks' }).click()
  await card()
    .getByRole('heading', { name: `The agent wants to push the branch ${branch}` })
    .waitFor()
  const told = JSON.stringify(model.requests.at(-1)?.body)
  expect(told).toContain('##[error]assert 3 == 2')
  expect(told).toContain('call the tool push_branch')
  await button('Pull request #1: 1 check fails').waitFor()
  // Notices stand above the card, not over its buttons.
  const { y = 0 } = (await card().boundingBox()) ?? {}
  const foot = () =>
    page.evaluate(() => innerHeight - parseFloat(document.documentElement.style.getPropertyValue('--foot')))
  await expect.poll(foot).toBeLessThanOrEqual(y)
  await look(desktop, 'journey-repository-push-card')
  expect(await onRemote('octocat/hello', 'log', '-1', '--format=%s', branch)).toBe('Double the price')
  await card()
    .getByRole('button', { name: /^Accept/ })
    .click()
  await page.getByText('The check should pass now.').waitFor()
  await button('Pull request #1: Checks pass').waitFor()
  expect(await onRemote('octocat/hello', 'show', `${branch}:price.py`)).toBe('PRICE = 2')
  await look(desktop, 'journey-repository-green')

  await checksOf(true, true)
  // As the window gets it when a person comes back from the browser.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await button('Pull request #1: Merged').click()
  await status.getByText('It was merged.').waitFor()
  await look(desktop, 'journey-repository-merged')
  await page.keyboard.press('Escape')
})

test('a task of the launcher leads to a branch and a pull request, whose end is shown', async ({
  desktop,
  model,
  card,
  onRemote,
  opened,
  button,
  remote,
  dialog,
}) => {
  const { page } = desktop
  model.setScript([
    run('git checkout -qb fix-9; echo "PRICE = 1.0" >price.py; git commit -qam "Cache the price"'),
    tool('open_pull_request', { title: 'Cache the price', body: 'It is read once.\n\nFixes #9.' }),
    finish('The pull request is open.'),
  ])
  await page.getByRole('link', { name: 'New conversation' }).click()
  const tasks = page.getByRole('list', { name: 'Suggested tasks' })
  await look(desktop, 'journey-task-launcher')
  await tasks.getByRole('listitem').filter({ hasText: 'octocat/spoon#9' }).getByRole('button').click()
  await card()
    .getByRole('heading', { name: 'The agent wants to push the branch fix-9 and open a pull request for it' })
    .waitFor()
  await look(desktop, 'journey-task-card')
  expect(await onRemote('octocat/spoon', 'branch', '--list', 'fix-9')).toBe('')
  await card()
    .getByRole('button', { name: /^Accept/ })
    .click()
  await page.getByText('The pull request is open.').waitFor()
  expect(await onRemote('octocat/spoon', 'show', 'fix-9:price.py')).toBe('PRICE = 1.0')
  const [request] = opened().slice(-1)
  expect(request).toMatchObject({
    repository: 'octocat/spoon',
    head: 'fix-9',
    asked: { body: 'It is read once.\n\nFixes #9.' },
  })
  const number = opened().length
  const chip = (word: string) => button(`Pull request #${number}: ${word}`)
  await chip('Open').waitFor()
  remote.provider.pullRequests.set(number, { closed: true })
  await chip('Open').click()
  await dialog(`Pull request #${number}`).getByText('It was closed without being merged.').waitFor()
  await page.keyboard.press('Escape')
  await chip('Closed').waitFor()
  await dialog(`Pull request #${number}`).waitFor({ state: 'hidden' })
  await look(desktop, 'journey-task-closed')
})
