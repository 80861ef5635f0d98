import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { deleteSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import { createSecretV1 } from '../../server/api/v1/settings/secrets.ts'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { it as base } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { look } from '../parts/window/look.ts'
import { nextDownload } from '../parts/window/next-download.ts'

const test = base
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
    allowed_hosts: ['host.docker.internal'],
  }))
  .extend('desktopOptions', { scope: 'file' }, async ({ git, keyring }) => {
    await git.add('shop', {
      'shop.py': 'TOTAL = 1\n',
      '.openhands/hooks.json': JSON.stringify(HOOKS),
      '.openhands/microagents/release.md': SKILL,
    })
    return { env: keyring.env }
  })
  .extend('timeline', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('region', { name: 'Conversation', exact: true })
  })
  .extend('open', { scope: 'file' }, ({ desktop }) => async (body: Parameters<typeof startConversation>[1]) => {
    const task = await startConversation(desktop.service, body)
    await desktop.page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
    return task
  })
  .extend('openDetails', { scope: 'file' }, ({ desktop }) => async () => {
    const { page } = desktop
    if (!(await page.getByRole('tab', { name: 'Details' }).isVisible()))
      await page.getByRole('button', { name: 'Show changes and details' }).click()
    await page.getByRole('tab', { name: 'Details' }).click()
  })

const SECRET = 'npm-e2e-88d1c2f04b7a'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const HOOKS = {
  PreToolUse: [
    {
      matcher: 'terminal',
      hooks: [{ type: 'command', command: 'grep -q shopp && { echo No. >&2; exit 2; } || exit 0' }],
    },
  ],
}
const SKILL = '---\nname: release\ntriggers: [release]\n---\nReleases are made with make.\n'
/** Says one line and ends: no tool server. */
const TALKER = { name: 'talker', command: 'sh', args: ['-c', 'echo warming up >&2; exit 3'], env: {} }
const folder = mkdtempSync(join(tmpdir(), 'atelier-saved-'))

test.beforeAll(async ({ desktop }) => {
  const { client } = desktop.service
  await client.call(createSecretV1, { body: { name: 'NPM_TOKEN', value: SECRET } })
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const terminal = (command: string) => call('terminal', { command })
const finish = (message: string) => call('finish', { message })

test('skills that fired and hooks that ran have a line each, and a secret is never shown', async ({
  desktop,
  model,
  open,
  git,
  timeline,
  openDetails,
}) => {
  const { page } = desktop
  model.setScript([terminal('echo token=$NPM_TOKEN'), terminal('echo shopp'), finish('Looked.')])
  await open({ title: 'The release', selected_repository: git.url('shop'), initial_message: said('Make a release.') })
  await timeline().getByText('Looked.').waitFor()
  await timeline()
    .getByRole('button', { name: /^1 skill release/ })
    .click()
  await timeline().getByText('Releases are made with make.').waitFor()
  await timeline()
    .getByRole('button', { name: /^Hook before a call of terminal .* passed$/ })
    .waitFor()
  await timeline()
    .getByRole('button', { name: /^echo shopp stopped by a hook$/ })
    .waitFor()
  await expect(timeline().getByText('No.', { exact: true }).count()).resolves.toBe(1)
  await timeline()
    .getByRole('button', { name: /^echo token=/ })
    .click()
  await timeline().getByTitle('A secret stands here. Its value is hidden.').waitFor()
  expect(await page.content()).not.toContain(SECRET)
  await openDetails()
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('region', { name: 'Hooks' }).getByText('before a call of terminal').waitFor()
  await panel.getByRole('region', { name: 'Skills' }).getByText('release').waitFor()
  await look(desktop, 'states-knowledge')
})

test('a limit stops the agent, is raised where it says so, and can be changed beside it', async ({
  desktop,
  model,
  open,
  timeline,
  openDetails,
}) => {
  const { page } = desktop
  model.setScript([terminal('echo one'), terminal('echo two'), finish('Counted.')])
  await open({ title: 'Count', max_iterations: 1, initial_message: said('Count.') })
  await timeline().getByText('The limit of 1 step is reached.', { exact: false }).waitFor()
  await look(desktop, 'states-limit')
  await timeline().getByRole('textbox', { name: 'New step limit' }).fill('2')
  await page.keyboard.press('Enter')
  await timeline().getByText('The limit of 2 steps is reached.', { exact: false }).waitFor()
  await openDetails()
  const limits = page.getByRole('tabpanel').getByLabel('Steps', { exact: true })
  await limits.fill('9')
  await limits.press('Enter')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await timeline().getByText('Counted.').waitFor()
})

test('an agent that goes in circles is told so and stopped, and each is said once', async ({
  model,
  open,
  timeline,
  desktop,
}) => {
  model.setScript(() => terminal('echo again'))
  await open({ title: 'Circles', initial_message: said('Go.') })
  await timeline().getByText('Atelier told the agent').waitFor()
  await timeline()
    .getByText(/repeats the same call/)
    .waitFor()
  await timeline().getByRole('button', { name: 'Try again' }).waitFor()
  await expect(
    timeline()
      .getByText(/repeats/)
      .count(),
  ).resolves.toBe(1)
  await look(desktop, 'states-stuck')
})

test('a sub-agent stands below its conversation while it is open, and is named in the figures', async ({
  desktop,
  model,
  open,
  timeline,
  openDetails,
}) => {
  const { page } = desktop
  model.setScript(({ body }) => {
    const text = JSON.stringify(body.messages)
    if (!text.includes('Delegate.')) return finish('Six tests.')
    return text.includes('Six tests.')
      ? finish('It counted.')
      : call('task', { prompt: 'Count the tests.', description: 'Counting' })
  })
  await open({ title: 'Delegation', initial_message: said('Delegate.') })
  await timeline().getByText('It counted.').waitFor()
  await openDetails()
  await page.getByRole('tabpanel').getByRole('heading', { name: 'A sub-agent' }).waitFor()
  await timeline()
    .getByRole('button', { name: /^Delegate Counting/ })
    .click()
  await expect(timeline().getByText('task_id').count()).resolves.toBe(0)
  await timeline().getByRole('link', { name: 'Open its conversation' }).click()
  await timeline().getByText('Six tests.').waitFor()
  const list = page.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('link', { name: /Counting/ }).waitFor()
  await look(desktop, 'states-sub-agent')
  await list.getByRole('link', { name: /Delegation/ }).click()
  await timeline().getByText('It counted.').waitFor()
  await list.getByRole('link', { name: /Counting/ }).waitFor({ state: 'detached' })
})

test('a tool server that fails says why, shows its log and is started anew', async ({
  desktop,
  model,
  open,
  timeline,
  openDetails,
}) => {
  const { page, service } = desktop
  await service.client.call(storeSettingsV1, {
    body: { mcp_config: { stdio_servers: [TALKER], sse_servers: [], shttp_servers: [] } },
  })
  model.setScript([finish('Without tools.')])
  await open({ title: 'Tools', initial_message: said('Go.') })
  await timeline().getByText('Without tools.').waitFor()
  await openDetails()
  const servers = page.getByRole('region', { name: 'Tool servers' })
  await servers.getByText('Its process ended with exit code 3.').waitFor()
  await servers.getByRole('button', { name: /^talker/ }).click()
  await servers.getByText(/^warming up/).waitFor()
  await look(desktop, 'states-tool-servers')
  await servers.getByRole('button', { name: 'Restart talker' }).click()
  await servers.getByText('failed').waitFor()
  await service.client.call(storeSettingsV1, { body: { mcp_config: null } })
})

test('a picture opens large by keyboard, and Escape closes it', async ({ desktop, model, open, timeline }) => {
  const { page } = desktop
  model.setScript([finish('A dot.')])
  const image = { type: 'image' as const, image_urls: [`data:image/png;base64,${PIXEL}`] }
  await open({ title: 'Picture', initial_message: { role: 'user', content: [image], run: true } })
  await timeline().getByText('A dot.').waitFor()
  await timeline().getByRole('button', { name: 'Attachment 1' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Attachment 1' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the log is saved as a ZIP file', async ({ desktop }) => {
  const { page } = desktop
  const file = join(folder, 'log.zip')
  const saved = nextDownload(desktop, file)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /Export log/ }).click()
  expect(await saved).toMatch(/^completed conversation-\w+\.zip$/)
  expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK')
})

test('what commands changed is listed; where the sandbox was removed, the same task is started anew', async ({
  desktop,
  model,
  open,
  git,
  timeline,
}) => {
  const { page, service } = desktop
  model.setScript([terminal('echo built > built.log'), finish('Done.')])
  const { sandbox_id } = await open({
    title: 'Lost',
    selected_repository: git.url('shop'),
    initial_message: said('Count the shop.'),
  })
  await timeline().getByText('Done.').waitFor()
  await page.getByRole('tab', { name: /^Changes/ }).click()
  const byCommands = page.getByRole('region', { name: 'Changed in the repository' })
  await byCommands.getByRole('button', { name: /^built\.log/ }).click()
  await byCommands.getByRole('table', { name: 'Changes in built.log' }).getByText('built', { exact: true }).waitFor()
  await look(desktop, 'states-changes')
  await service.client.call(deleteSandbox, { params: { sandbox_id: sandbox_id ?? '' } })
  await page.getByText('The sandbox was removed.').waitFor()
  await look(desktop, 'states-sandbox-removed')
  await page.getByRole('button', { name: 'Start a new conversation…' }).click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'What should the agent do' }).inputValue())
    .toBe('Count the shop.')
  await page.getByRole('button', { name: 'Repository: shop' }).waitFor()
})
