import type { Locator } from 'playwright'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { TestFolder } from '../../parts/test-folder.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = new TestFolder().write({ 'shop.py': LINES, 'old.py': LINES }).commit()
    onCleanup(() => folder.remove())
    return folder
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('dialog', { name: 'Review' })
  })
  .extend('file', { scope: 'file' }, ({ dialog }) => (name: string) => {
    return dialog().getByRole('navigation').getByRole('button', { name })
  })

const LINES = Array.from({ length: 30 }, (_, index) => `LINE_${index} = ${index}\n`).join('')
const COMMAND = [
  "sed -i 's/LINE_3 = 3/LINE_3 = 300/; s/LINE_25 = 25/LINE_25 = 2500/' shop.py",
  'mkdir -p lib && git mv old.py lib/moved.py && echo "NEW = 1" > new.py',
].join('; ')

const CODE = '```ts\n// In cents.\nexport const price: number = total("shop", 300)\n```'

test.beforeAll(async ({ model, desktop, folder }) => {
  model.setScript([
    { toolCalls: [{ name: 'terminal', arguments: { command: COMMAND } }] },
    { toolCalls: [{ name: 'finish', arguments: { message: `The prices are higher.\n\n${CODE}` } }] },
    { toolCalls: [{ name: 'finish', arguments: { message: 'The review is addressed.' } }] },
  ])
  const { app_conversation_id } = await startConversation(desktop.service, {
    source: { kind: 'folder', path: folder.path },
    initial_message: { content: [{ type: 'text', text: 'Raise the prices' }] },
  })
  await desktop.page.evaluate(address => location.assign(address), `#/conversations/${app_conversation_id}`)
  await desktop.page.getByText('The prices are higher.').waitFor()
})

/** How many colours the text of a place has. */
const coloursIn = (place: Locator) =>
  place.evaluate(found => new Set([...found.querySelectorAll('*')].map(part => getComputedStyle(part).color)).size)

test('code in an answer has the colours of its language', async ({ desktop }) => {
  const block = desktop.page.getByText('// In cents.').locator('xpath=ancestor::pre')
  await expect.poll(() => coloursIn(block)).toBeGreaterThan(4)
  await look(desktop, 'code-in-answer')
})

test('the changes are listed with their counts and gone through by keyboard', async ({ desktop, file, dialog }) => {
  await desktop.page.getByRole('button', { name: 'Review…' }).click()
  await file('shop.py').waitFor()
  expect(await file('shop.py').textContent()).toMatch(/\+2−2/)
  expect(await file('moved.py').textContent()).toContain('moved')
  await dialog().getByText('Moved from old.py without another change.').waitFor()
  await desktop.page.keyboard.press('j')
  await dialog().getByRole('table', { name: 'Changes in new.py' }).waitFor()
  await desktop.page.keyboard.press('v')
  await dialog().getByText('1 of 3 files viewed').waitFor()
  await desktop.page.keyboard.press('j')
  await dialog().getByRole('table', { name: 'Changes in shop.py' }).waitFor()
  await desktop.page.keyboard.press('n')
  expect(
    await dialog()
      .locator('[data-hunk]')
      .evaluateAll(all => all.indexOf(document.activeElement as HTMLElement)),
  ).toBe(0)
  await expect.poll(() => coloursIn(dialog().getByRole('row', { name: 'LINE_22 = 22' }))).toBe(3)
  await look(desktop, 'review-unified')
  await desktop.page.keyboard.press('s')
  await look(desktop, 'review-split')
  await desktop.page.keyboard.press('s')
  expect(await dialog().getByText('LINE_15 = 15').count()).toBe(0)
  await desktop.page.keyboard.press('w')
  await dialog().getByText('LINE_15 = 15').first().waitFor()
  await desktop.page.keyboard.press('w')
})

test('one change is staged, and taken back', async ({ dialog, desktop, file }) => {
  const compareWith = async (name: string) => {
    await dialog().getByRole('combobox', { name: 'Compared with' }).click()
    await desktop.page.getByRole('option', { name, exact: true }).click()
  }
  await compareWith('Not staged')
  await file('shop.py').click()
  await dialog().getByRole('button', { name: 'Stage', exact: true }).first().click()
  await expect.poll(() => file('shop.py').textContent()).toMatch(/\+1−1/)
  await look(desktop, 'review-staging')
  await compareWith('Staged')
  await file('shop.py').click()
  await dialog().getByText('LINE_3 = 300').waitFor()
  expect(await dialog().getByText('LINE_25 = 2500').count()).toBe(0)
  await dialog().getByRole('button', { name: 'Unstage file' }).click()
  await file('shop.py').waitFor({ state: 'detached' })
  await compareWith('Start of the conversation')
  await file('shop.py').click()
})

test('another base can be chosen', async ({ dialog, desktop, file }) => {
  await dialog().getByRole('combobox', { name: 'Compared with' }).click()
  await desktop.page.getByRole('option', { name: 'Staged', exact: true }).click()
  await file('shop.py').waitFor({ state: 'detached' })
  expect(await file('moved.py').textContent()).toContain('moved')
  await dialog().getByRole('combobox', { name: 'Compared with' }).click()
  await desktop.page.getByRole('option', { name: 'Start of the conversation' }).click()
  await file('shop.py').click()
})

test('one change is reverted, and put back again', async ({ dialog, file }) => {
  await dialog().getByRole('button', { name: 'Revert', exact: true }).first().click()
  await dialog().getByText('A change in shop.py was reverted.').waitFor()
  await expect.poll(() => file('shop.py').textContent()).toMatch(/\+1−1/)
  await dialog().getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => file('shop.py').textContent()).toMatch(/\+2−2/)
})

test('comments on lines go to the agent as one message', async ({ dialog, desktop, model }) => {
  const comment = async (line: number, text: string) => {
    await dialog()
      .getByRole('button', { name: `Comment on line ${line}` })
      .last()
      .click()
    await dialog()
      .getByRole('textbox', { name: `Comment on line ${line}` })
      .fill(text)
    await dialog().getByRole('button', { name: 'Add comment' }).click()
  }
  await dialog().getByRole('button', { name: 'Comment on line 5' }).last().click()
  await dialog().getByRole('textbox', { name: 'Comment on line 5' }).fill('Never mind.')
  await desktop.page.keyboard.press('Escape')
  await dialog().getByRole('textbox', { name: 'Comment on line 5' }).waitFor({ state: 'detached' })
  await comment(4, 'Too much.')
  await comment(26, 'Why?')
  await comment(3, 'A mistake.')
  await dialog().getByRole('button', { name: 'Remove' }).first().click()
  await look(desktop, 'review-comments')
  await dialog().getByRole('button', { name: 'Send 2 comments' }).click()
  await desktop.page.getByText('The review is addressed.').waitFor()
  const said = JSON.stringify(model.requests.at(-1)?.body)
  expect(said).toContain(String.raw`Comment 1 on \"shop.py\", line 4:`)
  expect(said).toContain('LINE_3 = 300')
  expect(said).toContain('Why?')
  expect(said).not.toContain('A mistake.')
  await dialog().waitFor({ state: 'detached' })
})
