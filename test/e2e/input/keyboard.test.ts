import { expect } from 'vitest'
import { it as base } from '../../fixtures/terminal.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { hasFocus, isFocused } from '../../parts/window/focus.ts'

/** More controls than a page has. */
const MAX_TABS = 80

/** Nothing here touches the mouse: what a person cannot reach with keys fails. */
const test = base
  .extend('press', { scope: 'file' }, ({ desktop: { page } }) => async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  })
  /** Goes with Tab to a control, whose focus has to show. */
  .extend(
    'reach',
    { scope: 'file' },
    ({ desktop: { page }, press }) =>
      async (role: 'article' | 'button' | 'link' | 'tab' | 'tree' | 'textbox', name: string | RegExp, key = 'Tab') => {
        const wanted = page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first()
        await wanted.waitFor()
        for (let presses = 0; presses < MAX_TABS; presses++) {
          if (await isFocused(wanted)) {
            expect(await page.evaluate(focusShows), `the focus on ${name} shows`).toBe(true)
            return
          }
          await press(key)
        }
        throw new Error(`${MAX_TABS} presses of ${key} do not lead to ${role} ${name}.`)
      },
  )
  .extend(
    'message',
    { scope: 'file' },
    ({ desktop }) =>
      () =>
        desktop.page.getByRole('textbox', { name: 'Message' }),
  )

test('a conversation is begun', { timeout: 120_000 }, async ({ desktop, model, press, reach }) => {
  const { page } = desktop
  model.setScript([
    tool('terminal', {
      command: 'git init -q .; git commit -q --allow-empty -m start; echo one >note.txt; echo two >more.txt',
    }),
    { text: 'Two files are there.' },
  ])
  await reach('link', 'New conversation')
  await press('Enter')
  await reach('textbox', 'What should the agent do')
  await page.keyboard.type('Make two files')
  await reach('button', 'Start')
  await press('Enter')
  await page.getByText('Two files are there.').waitFor()
})

test('what can be done with a message is reached through it', async ({ desktop, press, reach }) => {
  const { page } = desktop
  const answer = page.getByRole('article', { name: 'Agent' }).last()
  await reach('article', 'You')
  await press('Tab')
  await hasFocus(page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Copy message' }))
  for (let presses = 0; presses < MAX_TABS && !(await isFocused(answer)); presses++) await press('Tab')
  await press('Tab')
  await hasFocus(answer.getByRole('button', { name: 'Copy message' }))
  await press('Tab', 'Enter')
  await hasFocus(page.getByRole('menuitem', { name: /Fork from here/ }))
  await press('Escape')
  const more = answer.getByRole('button', { name: 'More actions' })
  await hasFocus(more)
  await press('Enter')
  await hasFocus(page.getByRole('menuitem', { name: /Fork from here/ }))
  await page.keyboard.type('try')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Try several times' }).waitFor()
  await press('Escape')
  await hasFocus(more)
  await press('Shift+Tab', 'Shift+Tab')
  await hasFocus(answer)
})

test('a file is opened, edited and saved', async ({ desktop, press, reach }) => {
  const { page } = desktop
  await reach('tab', /^Changes/)
  await press('ArrowRight', 'Enter')
  await page.getByRole('treeitem').filter({ hasText: 'note.txt' }).waitFor()
  await reach('tree', 'Files of the sandbox')
  await page.keyboard.type('note')
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'note.txt' })
  await hasFocus(dialog.getByRole('textbox'))
  await page.keyboard.type('three ')
  await press('Control+s')
  await dialog.getByText('Saved', { exact: true }).waitFor()
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('a terminal is opened, used and left', async ({ desktop, press, reach, screen, run, shows }) => {
  const { page } = desktop
  await reach('tab', 'Files', 'Shift+Tab')
  await press('ArrowRight', 'Enter')
  await reach('button', 'New terminal')
  await press('Enter')
  await hasFocus(screen().getByRole('textbox'))
  await run('PS1="$ "; clear; cat note.txt; (setsid python3 -m http.server 5173 --bind 127.0.0.1 >/dev/null 2>&1 &)')
  await shows('three one')
  await press('Shift+Escape')
  expect(await page.evaluate(focusShows)).toBe(true)
})

test('a page of the sandbox is shown', async ({ desktop, press, reach }) => {
  const { app } = desktop
  await reach('tab', 'Terminal', 'Shift+Tab')
  await press('ArrowRight', 'Enter')
  await reach('button', 'Open port 5173 here')
  await press('Enter')
  const guest = () => app.windows().find(each => each.url() === 'http://localhost:5173/')
  await expect.poll(() => guest()?.title() ?? '').toContain('Directory listing')
  await reach('textbox', 'Address')
})

test('changes are reviewed and commented on', async ({ desktop, press, reach }) => {
  const { page } = desktop
  await press('Control+Shift+d')
  const review = page.getByRole('dialog', { name: 'Review' })
  await review.getByRole('heading', { name: 'more.txt' }).waitFor()
  await press('j')
  await review.getByRole('heading', { name: 'note.txt' }).waitFor()
  await press('v')
  await review.getByText('1 of 2 files viewed').waitFor()
  await reach('button', 'Comment on line 1')
  await press('Enter')
  await hasFocus(review.getByRole('textbox').last())
  await page.keyboard.type('Why three?')
  await reach('button', 'Add comment')
  await press('Enter')
  await review.getByText('Why three?').waitFor()
  await reach('button', 'Remove')
  await press('Enter')
  await press('Escape')
  await review.waitFor({ state: 'detached' })
})

test('what was deleted is brought back', async ({ desktop, press, reach }) => {
  const { page } = desktop
  await reach('tab', /^Preview/)
  await press('ArrowLeft', 'ArrowLeft', 'Enter')
  const row = page.getByRole('treeitem').filter({ hasText: 'more.txt' })
  await row.waitFor()
  await reach('tree', 'Files of the sandbox')
  await page.keyboard.type('more')
  await press('Delete')
  await row.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).waitFor()
  await press('F6')
  expect(await page.evaluate(focusShows)).toBe(true)
  await reach('button', 'Undo')
  await press('Enter')
  await row.waitFor()
})

test('words are found in the conversation, and conversations by their words', async ({ desktop, press }) => {
  const { page } = desktop
  await press('Control+f')
  const name = 'Find in this conversation'
  const find = page.getByRole('searchbox', { name }).or(page.getByRole('textbox', { name }))
  await hasFocus(find)
  await page.keyboard.type('two files')
  await page
    .getByText(/^\d+ of \d+$/)
    .first()
    .waitFor()
  await press('Escape')
  await press('Control+k')
  const palette = page.getByRole('dialog')
  await hasFocus(palette.getByRole('combobox'))
  await page.keyboard.type('Make two')
  await palette
    .getByRole('option', { name: /Make two files/ })
    .first()
    .waitFor()
  await press('Enter')
  await palette.waitFor({ state: 'detached' })
  await page.getByText('Two files are there.').first().waitFor()
})

test('messages wait, are moved, withdrawn and brought back', { timeout: 120_000 }, async ({
  desktop,
  model,
  press,
  reach,
  message,
}) => {
  const { page } = desktop
  model.setScript([{ text: 'Never.', delayMs: 600_000 }])
  await reach('textbox', 'Message')
  await page.keyboard.type('Wait')
  await press('Enter')
  await page.getByRole('button', { name: 'Send when the agent has finished' }).waitFor()
  const rows = page.getByRole('region', { name: 'Waiting messages' }).getByRole('listitem')
  for (const text of ['First', 'Second']) {
    await page.keyboard.type(text)
    await press('Alt+Enter')
    await rows.filter({ hasText: text }).waitFor()
  }
  expect(await message().inputValue()).toBe('')
  await reach('button', 'Move down', 'Shift+Tab')
  await reach('button', 'Withdraw', 'Shift+Tab')
  await press('Enter')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).waitFor()
  await press('F6')
  expect(await page.evaluate(focusShows)).toBe(true)
  await reach('button', 'Undo')
  await press('Enter')
  await expect.poll(() => rows.count()).toBe(2)
})

/** In the page: whether one can see what has the focus. In a text the caret shows it. */
function focusShows(): boolean {
  const focused = document.activeElement
  if (!focused || focused === document.body) return false
  if (focused.matches('input, textarea, [contenteditable="true"]')) return true
  const active = document.getElementById(focused.getAttribute('aria-activedescendant') ?? '') ?? focused
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(active)
  return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/, 0\)$/.test(outlineColor)
}
