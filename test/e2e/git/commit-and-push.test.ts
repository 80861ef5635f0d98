import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startInRepository, startProviderWithRepository, storeToken } from '../../parts/provider-repository.ts'
import { look } from '../../parts/window/look.ts'
import { nextDownload } from '../../parts/window/next-download.ts'

const test = base
  .extend('remote', { scope: 'file' }, async ({}, { onCleanup }) => {
    const remote = await startProviderWithRepository()
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
  .extend('conversation', { scope: 'file' }, async ({ desktop, remote }) => {
    await storeToken(desktop.service, remote.provider)
    return startInRepository(desktop.service)
  })
  .extend('button', { scope: 'file' }, ({ desktop }) => (name: string | RegExp) => {
    return desktop.page.getByRole('button', { name })
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => (name: string | RegExp) => {
    return desktop.page.getByRole('dialog', { name })
  })
  .extend('onRemote', { scope: 'file' }, ({ remote }) => (...args: string[]) => {
    return remote.git.git('team/tool', ...args)
  })

test.beforeAll(async ({ conversation, desktop }) => {
  await conversation.run('echo more >>main.txt; git rm -q old.txt; echo new >new.txt')
  const address = `#/conversations/${conversation.params.conversation_id}`
  await desktop.page.evaluate(next => location.assign(next), address)
})
const SUGGESTING = 'Why twice? Once says it all, I think.\n\n```suggestion\nonce\n```'

test('chosen files are committed on a branch of their own', async ({
  desktop,
  button,
  dialog,
  model,
  conversation,
}) => {
  const { page } = desktop
  await page.getByText('3 files to commit').waitFor()
  await look(desktop, 'git-bar')
  await button('Commit…').click()
  const asked = dialog('Commit changes')
  await asked.getByText('By Ada <ada@example.invalid>').waitFor()
  await asked.getByLabel('Message').fill('My own')
  model.setScript([{ text: 'Say more\n\nOne line was not enough.' }])
  await asked.getByRole('button', { name: 'Draft' }).click()
  await expect.poll(() => asked.getByLabel('Message').inputValue()).toBe('Say more\n\nOne line was not enough.')
  await asked.getByRole('button', { name: 'Undo' }).click()
  expect(await asked.getByLabel('Message').inputValue()).toBe('My own')
  await asked.getByLabel('Message').fill('Say more')
  await asked.getByRole('switch', { name: 'Only what is staged' }).click()
  await asked.getByRole('button', { name: 'Commit 1 file' }).waitFor()
  await look(desktop, 'git-commit-staged')
  await asked.getByRole('switch', { name: 'Only what is staged' }).click()
  await asked.getByRole('checkbox', { name: 'new.txt' }).click()
  await look(desktop, 'git-commit')
  await asked.getByLabel('New branch').fill('--force')
  await asked.getByRole('button', { name: 'Commit 2 files' }).click()
  await asked.getByRole('alert').waitFor()
  await asked.getByLabel('New branch').fill('more')
  await asked.getByRole('button', { name: 'Commit 2 files' }).click()
  await page.getByText('2 files were committed on more.').waitFor()
  await page.getByText('1 file to commit · 1 commit to push').waitFor()
  expect(await conversation.run('git log -1 --format=%s%an')).toBe('Say moreAda\n')
})

test('the work is saved as a patch and as a bundle', async ({ desktop, button }) => {
  const { page } = desktop
  const folder = mkdtempSync(join(tmpdir(), 'atelier-saved-'))
  for (const [item, kind, begin] of [
    [/^Save changes as patch/, 'patch', 'diff --git'],
    [/^Save commits as bundle/, 'bundle', '# v'],
  ] as const) {
    const file = join(folder, kind)
    const saved = nextDownload(desktop, file)
    await button('More').click()
    await page.getByRole('menuitem', { name: item }).click()
    expect(await saved).toMatch(new RegExp(`^completed .+\\.${kind}$`))
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${begin}`))
  }
  rmSync(folder, { recursive: true })
})

test('a push asks first, and names what goes where', async ({ button, dialog, desktop, onRemote }) => {
  await button('Push…').click()
  const asked = dialog('Push to origin?')
  await asked.getByText('1 commit of more goes to').waitFor()
  await look(desktop, 'git-push')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  expect(await onRemote('branch', '--list', 'more')).toBe('')
  await button('Push…').click()
  await asked.getByRole('button', { name: 'Push more' }).click()
  await desktop.page.getByText('more was pushed to origin.').waitFor()
  expect((await onRemote('log', '-1', '--format=%s', 'more')).trim()).toBe('Say more')
})

test('a pull request is opened from the branch, and its link stands in the bar', async ({
  button,
  dialog,
  model,
  desktop,
  remote,
}) => {
  await button('Pull request…').click()
  const asked = dialog('Open a pull request')
  expect(await asked.getByLabel('Title').inputValue()).toBe('Say more')
  expect(await asked.getByLabel('Into').inputValue()).toBe('main')
  model.setScript([{ text: 'Say more in main\n\n- one line more' }])
  await asked.getByRole('button', { name: 'Draft' }).click()
  await expect.poll(() => asked.getByLabel('Description').inputValue()).toBe('- one line more')
  await look(desktop, 'git-pull-request')
  await asked.getByLabel('Reviewers').fill('@ann, bob')
  await asked.getByRole('switch', { name: 'As a draft' }).click()
  await asked.getByRole('button', { name: 'Open pull request' }).click()
  await desktop.page.getByText(/^Pull request #\d+ is open\.$/).waitFor()
  await desktop.page.getByRole('link', { name: /^Pull request #\d+/ }).waitFor()
  expect(remote.provider.pullRequests.opened.at(-1)?.reviewers).toEqual(['ann', 'bob'])
  await look(desktop, 'git-bar-opened')
})

test('what became of it stands in the header, and the agent is told what fails', async ({
  desktop,
  remote,
  onRemote,
  button,
  dialog,
  model,
}) => {
  const { page } = desktop
  const { pullRequests } = remote.provider
  const log = 'a long way\nAssertionError: expected 1 to be 2\n'
  pullRequests.set(pullRequests.opened.length, {
    sha: (await onRemote('rev-parse', 'more')).trim(),
    checks: [
      { id: 901, name: 'unit tests', passed: false, log },
      { id: 902, name: 'lint', passed: true },
      { id: 903, name: 'deploy preview', passed: null },
    ],
    reviews: [{ author: 'ann', approved: false, text: '' }],
    threads: [
      { path: 'main.txt', line: 2, resolved: false, said: [['ann', SUGGESTING]] },
      { path: 'new.txt', line: 1, resolved: true, said: [['ann', 'Settled.']] },
    ],
  })
  await button(/^Pull request #\d+: /).click()
  const shown = dialog(/^Pull request #\d+/)
  await shown.getByRole('img', { name: 'failed' }).waitFor()
  await look(desktop, 'pull-request-status')
  await shown.getByText('ann asked for changes').waitFor()
  await shown.getByText('main.txt, line 2').waitFor()
  expect(await shown.getByText('Settled.').count()).toBe(0)
  model.setScript([{ text: 'It is mended.' }])
  await shown.getByRole('button', { name: 'Fix the failing checks' }).click()
  await page.getByText('The agent got what it needs, and begins.').waitFor()
  await shown.waitFor({ state: 'detached' })
  await page.getByText('It is mended.').waitFor()
  await page.getByText('AssertionError: expected 1 to be 2').first().waitFor()
  await button(/^Pull request #\d+: 1 check fails$/).waitFor()
  await look(desktop, 'pull-request-told')
})

test('its comments stand at their lines in the review, and are answered and resolved there', async ({
  desktop,
  button,
  dialog,
  conversation,
  remote,
}) => {
  const { page } = desktop
  await button('Review…').click()
  const review = dialog('Review')
  await review.getByRole('button', { name: /^main\.txt/ }).click()
  const thread = review.getByRole('region', { name: 'Comment by ann' })
  await thread.getByText('Why twice? Once says it all, I think.').waitFor()
  await thread.getByRole('button', { name: 'Apply the suggestion' }).click()
  await page.getByText('The suggestion was applied to main.txt.').waitFor()
  expect(await conversation.run('tail -n 1 main.txt')).toBe('once\n')
  await look(desktop, 'suggestion-applied')
  await review.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => conversation.run('tail -n 1 main.txt')).toBe('more\n')
  await thread.getByRole('button', { name: 'Answer…' }).click()
  await thread.getByLabel('Your answer').fill('Once it is.')
  await look(desktop, 'pull-request-thread')
  await thread.getByRole('button', { name: 'Post the answer' }).click()
  await thread.getByText('Once it is.').waitFor()
  await thread.getByRole('button', { name: 'Resolve' }).click()
  await thread.getByText('resolved').waitFor()
  await page.keyboard.press('Escape')
  expect(remote.provider.pullRequests.opened.at(-1)?.state?.threads?.[0]).toMatchObject({
    resolved: true,
    said: [
      ['ann', expect.any(String)],
      ['me', 'Once it is.'],
    ],
  })
})

test('the agent asks on a card, each time, before its branch is sent', async ({
  desktop,
  conversation,
  model,
  onRemote,
  remote,
}) => {
  const { page } = desktop
  const card = page.getByRole('region', { name: 'Waiting for you' })
  const asks = { title: 'Say even more', body: 'One line more, **as asked**.' }
  await conversation.run(
    'git checkout -qb even-more; echo even more >>main.txt; git add -A; git commit -qm "Say even more"',
  )
  model.setScript([
    { toolCalls: [{ name: 'open_pull_request', arguments: asks }] },
    { toolCalls: [{ name: 'finish', arguments: { message: 'It is open.' } }] },
  ])
  await page.getByRole('textbox', { name: 'Message' }).fill('Open a pull request.')
  await page.keyboard.press('Enter')
  await card
    .getByRole('heading', { name: 'The agent wants to push the branch even-more and open a pull request for it' })
    .waitFor()
  await card.getByText('One line more, **as asked**.').waitFor()
  await card.getByText('Sends commits to a server, where others can see them').waitFor()
  expect(await card.getByRole('button', { name: /^Always allow/ }).count()).toBe(0)
  expect(await onRemote('branch', '--list', 'even-more')).toBe('')
  await look(desktop, 'publish-card')
  await card.getByRole('button', { name: /^Accept/ }).click()
  await page.getByText('It is open.').waitFor()
  expect((await onRemote('log', '-1', '--format=%s', 'even-more')).trim()).toBe('Say even more')
  expect(remote.provider.pullRequests.opened.at(-1)).toMatchObject({ head: 'even-more', asked: { title: asks.title } })
})
