import { expect } from 'vitest'
import { it as test } from '../fixtures/window.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { hasFocus } from '../parts/window/focus.ts'
import { look } from '../parts/window/look.ts'

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const PATCH = `*** Begin Patch
*** Add File: shop.py
+def total(cents):
+    return sum(cents)
*** Add File: notes.md
+Totals are in cents.
*** End Patch`
const tasks = (...statuses: string[]) =>
  statuses.map((status, place) => ({ title: ['Write shop.py', 'Test it', 'Tell how it went'][place], status }))

test.beforeAll(async ({ desktop, model }) => {
  const { page, service } = desktop
  model.setScript([
    { ...call('task_tracker', { command: 'plan', task_list: tasks('in_progress', 'todo', 'todo') }), cost: 0.02 },
    { ...call('apply_patch', { patch: PATCH }), reasoning: 'A patch writes both files at once.', cost: 0.03 },
    { ...call('grep', { pattern: 'total' }), usage: { input: 42_000, output: 300, cacheRead: 30_000 }, cost: 0.01 },
    { ...call('glob', { pattern: '**/*.py' }), cost: 0.01 },
    { ...call('terminal', { command: 'python3 -c "from shop import totals"' }), cost: 0.01 },
    { ...call('task_tracker', { command: 'plan', task_list: tasks('done', 'in_progress', 'todo') }), cost: 0.01 },
    { ...call('finish', { message: 'Two files are written.' }), usage: { input: 60_000, output: 40 }, cost: 0.01 },
    { text: 'Write a shop' },
  ])
  const { app_conversation_id: id } = await startConversation(service, {
    title: 'A shop',
    initial_message: said('Write a shop.'),
  })
  await page.evaluate(address => location.assign(address), `#/conversations/${id}`)
  await page.getByText('Two files are written.').waitFor()
})

test('each step is a line that says what and what came of it', async ({ desktop }) => {
  const { page } = desktop
  await page.getByRole('button', { name: /Change shop\.py, notes\.md .*2 files · \+3/ }).waitFor()
  await page.getByRole('button', { name: /Search for total, \*\*\/\*\.py .*2 searches/ }).waitFor()
  await page.getByRole('button', { name: /Update the task list .*1 of 3 done/ }).waitFor()
  await look(desktop, 'steps')
})

test('a patch unfolds to the changes of each file, and they are among the changes, with what a command left', async ({
  desktop,
}) => {
  const { page } = desktop
  await page.getByRole('button', { name: /Change shop\.py/ }).click()
  await page.getByRole('table', { name: 'Changes in shop.py' }).getByText('return sum(cents)').waitFor()
  await page.getByRole('tab', { name: 'Changes 3' }).click()
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('button', { name: /notes\.md/ }).waitFor()
  await panel.getByRole('button', { name: /^shop\..*\.pyc/ }).click()
  await panel.getByText('Binary file.').waitFor()
  await look(desktop, 'steps-unfolded')
})

test('the keys scroll on after a message was clicked', async ({ desktop }) => {
  const { page } = desktop
  const list = page.getByRole('region', { name: 'Conversation', exact: true })
  const top = () => list.evaluate(element => element.scrollTop)
  await page
    .getByRole('article', { name: 'Agent' })
    .last()
    .click({ position: { x: 20, y: 12 } })
  await hasFocus(list)
  await page.keyboard.press('Home')
  await expect.poll(top).toBe(0)
  await page.keyboard.press('End')
  // What was unfolded may grow meanwhile.
  const toEnd = () =>
    list.evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop)
  await expect.poll(toEnd).toBeLessThan(1)
})

test('F8 goes to the next error from what is in sight', async ({ desktop }) => {
  const { page } = desktop
  await page.keyboard.press('F8')
  await page
    .getByText(/ImportError/)
    .first()
    .waitFor()
})

test('the newest task list has a tab, and the details tell context and cost', async ({ desktop }) => {
  const { page } = desktop
  await page.getByRole('tab', { name: 'Tasks 1/3' }).click()
  await page.getByRole('tabpanel').getByText('Test it').waitFor()
  await look(desktop, 'steps-tasks')
  await page.getByRole('tab', { name: 'Details' }).click()
  const context = page.getByRole('region', { name: 'Context' })
  await context.getByText(/^60k tokens/).waitFor()
  await page.getByText('Step by step').click()
  await page.getByRole('button', { name: 'Copy worker_1' }).waitFor()
  await look(desktop, 'steps-details')
})

test('the usage of the day stands in the settings', async ({ desktop }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  const usage = page.getByRole('region', { name: 'Usage of the last 30 days' })
  await usage
    .getByText(/\$0\.10 · .* tokens · \d answers/)
    .first()
    .waitFor()
  await usage.scrollIntoViewIfNeeded()
  await look(desktop, 'settings-usage')
  await expect(usage.getByRole('listitem').count()).resolves.toBe(30)
})

test('the launcher offers a plan first, pictures and when to ask', async ({ desktop, model }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'New conversation' }).first().click()
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('Plan the shop.')
  await page.getByRole('button', { name: /^Mode:/ }).click()
  await page.getByRole('switch', { name: 'Plan first' }).click()
  await page.getByRole('combobox', { name: 'When the agent asks' }).click()
  await page.getByRole('option', { name: /Ask before risky actions/ }).click()
  await look(desktop, 'launcher-mode')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Mode: Plan first · Ask before risky actions' }).waitFor()
  await page.getByLabel('Files', { exact: true }).setInputFiles({
    name: 'sketch.png',
    mimeType: 'image/png',
    buffer: Buffer.from(PIXEL, 'base64'),
  })
  await page.getByText('sketch.png').waitFor()
  await look(desktop, 'launcher-plan')
  model.setScript([
    call('planning_file_editor', {
      command: 'create',
      path: '/workspace/project/.agents_tmp/PLAN.md',
      file_text: '# Plan\n',
    }),
    call('finish', { message: 'The plan stands.' }),
    { text: 'The shop’s plan' },
  ])
  await page.getByRole('textbox', { name: 'What should the agent do' }).press('Control+Enter')
  await page.getByText('The plan stands.').waitFor()
  await page.getByRole('button', { name: 'Build it' }).waitFor()
  await page.getByRole('img', { name: 'Attachment 1' }).waitFor()
  await look(desktop, 'plan-done')
})

test('a plan is built in a conversation of its own, and both lead to each other', async ({ desktop, model }) => {
  const { page } = desktop
  model.setScript([call('finish', { message: 'It is built.' }), { text: 'Building' }])
  await page.getByRole('button', { name: 'Build it' }).click()
  await page.getByText('It is built.').waitFor()
  await page.getByRole('link', { name: /^Part of / }).click()
  await page.getByRole('link', { name: 'Open the build' }).click()
  await page.getByText('It is built.').waitFor()
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
