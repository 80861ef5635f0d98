import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { hasFocus } from '../../parts/window/focus.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('message', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('textbox', { name: 'Message' })
  })
  .extend('options', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
  })
  .extend('press', { scope: 'file' }, ({ desktop }) => (key: string) => {
    return desktop.page.keyboard.press(key)
  })

const MAKE_FILES = `mkdir -p src .agents/skills/release
touch src/parser.py src/parser_test.py 'src/my parser.py' README.md
printf -- '---\\nname: release\\ndescription: How a version is released\\ntriggers: [/release]\\n---\\nTag it.\\n' >.agents/skills/release/SKILL.md`

test.beforeAll(async ({ desktop, model }) => {
  const { page, service } = desktop
  model.setScript([tool('terminal', { command: MAKE_FILES }), { text: 'They are there.' }])
  const task = await startConversation(service, { title: 'Parser', initial_message: said('Make the files') })
  await page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
  await page.getByText('They are there.').waitFor()
})

test('a file is named after an at sign, by keyboard or mouse', async ({ message, desktop, options, press }) => {
  await message().focus()
  await desktop.page.keyboard.type('Look at @parser')
  await expect.poll(() => options().count()).toBe(3)
  await expect.poll(() => options().first().getAttribute('aria-selected')).toBe('true')
  await look(desktop, 'composer-files')
  await message().focus()
  await desktop.page.keyboard.type('_te')
  await expect.poll(() => options().count()).toBe(1)
  await press('Enter')
  expect(await message().inputValue()).toBe('Look at @src/parser_test.py ')
  await desktop.page.keyboard.type('and @my')
  await options().filter({ hasText: 'my parser.py' }).click()
  expect(await message().inputValue()).toBe('Look at @src/parser_test.py and @"src/my parser.py" ')
  await desktop.page.keyboard.type('now')
  expect(await message().inputValue()).toBe('Look at @src/parser_test.py and @"src/my parser.py" now')
})

test('an at sign alone shows what is in the working directory, and a folder is gone into', async ({
  message,
  desktop,
  options,
  press,
}) => {
  await message().fill('')
  await desktop.page.keyboard.type('Look at @')
  await expect.poll(() => options().allTextContents()).toEqual(['.agents/', 'src/', 'README.md'])
  await look(desktop, 'composer-folders')
  await message().focus()
  await press('ArrowDown')
  await press('Enter')
  expect(await message().inputValue()).toBe('Look at @src/')
  await expect.poll(() => options().allTextContents()).toEqual(['my parser.pysrc', 'parser.pysrc', 'parser_test.pysrc'])
  await options().last().click()
  expect(await message().inputValue()).toBe('Look at @src/parser_test.py ')
  await message().fill('')
  await desktop.page.keyboard.type('@sr')
  await expect.poll(() => options().first().textContent()).toBe('src/')
  await message().fill('')
})

test('Esc closes the list and leaves the text, and what nobody offers is written as it is', async ({
  message,
  desktop,
  options,
  press,
}) => {
  await message().fill('')
  await desktop.page.keyboard.type('@README')
  await expect.poll(() => options().count()).toBe(1)
  await press('Escape')
  await expect.poll(() => options().count()).toBe(0)
  expect(await message().inputValue()).toBe('@README')
  await message().fill('')
  await desktop.page.keyboard.type('mail me@example.org, @nothing-like-it')
  await expect.poll(() => options().count()).toBe(0)
  await message().fill('')
})

test('a skill or a command is chosen after a slash', async ({ desktop, message, options, press }) => {
  const { page } = desktop
  await message().focus()
  await page.keyboard.type('/')
  await expect
    .poll(() => options().allTextContents())
    .toEqual([
      '/releaseHow a version is released',
      '/condenseSum up the earlier steps now',
      '/forkGo on in a copy of this conversation',
      '/newStart a new conversation',
    ])
  await look(desktop, 'composer-commands')
  await message().focus()
  await press('ArrowUp')
  await expect.poll(() => options().last().getAttribute('aria-selected')).toBe('true')
  await press('ArrowDown')
  await press('Tab')
  expect(await message().inputValue()).toBe('/release ')
  await message().fill('')
  await page.keyboard.type('/rls')
  await expect.poll(() => options().allTextContents()).toEqual(['/releaseHow a version is released'])
  await message().fill('')
  await page.keyboard.type('/fo')
  await expect.poll(() => options().count()).toBe(1)
  const before = page.url()
  await press('Enter')
  await expect.poll(() => page.url()).not.toBe(before)
  await page.goBack()
  await expect.poll(() => page.url()).toBe(before)
  await page.getByText('They are there.').waitFor()
})

test('while the agent works, one key stops it in its step and sends', async ({ desktop, model, message, press }) => {
  const { page } = desktop
  model.setScript([tool('terminal', { command: 'sleep 600' }), { text: 'Then not.' }])
  await message().fill('Wait long')
  await press('Enter')
  await page.getByRole('button', { name: 'Stop the agent and send' }).waitFor()
  await page.getByText('sleep 600').first().waitFor()
  await message().fill('Do not wait')
  await look(desktop, 'composer-working')
  await message().focus()
  await press('Control+Enter')
  await page.getByText('Then not.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Stop the agent and send' }).count()).toBe(0)
  expect(await message().inputValue()).toBe('')
})

test('what is written for later waits in a list, in which it is edited, moved and withdrawn', async ({
  desktop,
  model,
  message,
  press,
}) => {
  const { page } = desktop
  model.setScript([{ text: 'Never.', delayMs: 600_000 }, { text: 'First done.' }])
  await message().fill('Wait again')
  await press('Enter')
  await page.getByRole('button', { name: 'Send when the agent has finished' }).waitFor()
  const queue = page.getByRole('region', { name: 'Waiting messages' })
  const rows = () => queue.getByRole('listitem')
  for (const text of ['Write the changelog', 'Tag the release', 'Tell everybody']) {
    await message().fill(text)
    await press('Alt+Enter')
    await queue.getByText(text).waitFor()
  }
  await look(desktop, 'composer-queue')
  await rows().nth(1).getByRole('button', { name: 'Move up' }).click()
  await expect.poll(() => rows().first().textContent()).toContain('Tag the release')
  await rows().first().getByRole('button', { name: 'Edit the waiting message' }).click()
  await hasFocus(rows().first().getByRole('textbox'))
  await page.keyboard.type(' of today')
  await look(desktop, 'composer-queue-edit')
  await queue.getByRole('textbox').focus()
  await press('Enter')
  await expect.poll(() => rows().first().textContent()).toContain('Tag the release of today')
  await rows().last().getByRole('button', { name: 'Withdraw' }).click()
  await expect.poll(() => rows().count()).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => rows().last().textContent()).toContain('Tell everybody')
  await rows().last().getByRole('button', { name: 'Withdraw' }).click()
  await expect.poll(() => rows().count()).toBe(2)
  await rows().last().getByRole('button', { name: 'Withdraw' }).click()
  await expect.poll(() => rows().count()).toBe(1)
  await message().focus()
  await press('Escape')
  await page.getByRole('button', { name: 'Stop' }).first().click()
  await queue.getByText('Send one now').waitFor()
  await rows().first().getByRole('button', { name: 'Send now' }).click()
  await page.getByText('First done.').waitFor()
  await expect.poll(() => queue.count()).toBe(0)
})

test('a message that could not be sent after its page was left stands above what is written there since', async ({
  message,
  desktop: { page },
  onTestFinished,
}) => {
  const sends = '**/send-message'
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  onTestFinished(() => page.unroute(sends))
  onTestFinished(() => release())
  await page.route(sends, async route => {
    await released
    await route.abort()
  })
  const conversation = new URL(page.url()).hash
  await message().fill('First')
  const sent = page.waitForRequest(sends)
  await message().press('Enter')
  await sent
  await page.evaluate(() => location.assign('#/sandboxes'))
  await message().waitFor({ state: 'detached' })
  await page.evaluate(hash => location.assign(hash), conversation)
  await message().fill('Then')
  release()
  await expect.poll(() => message().inputValue()).toBe('First\n\nThen')
  await message().fill('')
})
