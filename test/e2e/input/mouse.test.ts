import { expect } from 'vitest'
import { it as base } from '../../fixtures/window.ts'

/** Nothing here touches the keyboard: what a person cannot do with the mouse fails. */
const test = base
  .extend('settings', { scope: 'file' }, null)
  .extend('button', { scope: 'file' }, ({ desktop }) => (name: string | RegExp) => {
    return desktop.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
  })
  .extend('menu', { scope: 'file' }, ({ desktop }) => (item: string) => {
    return desktop.page.getByRole('menuitem', { name: item })
  })
  .extend('tab', { scope: 'file' }, ({ desktop }) => (name: string | RegExp) => {
    return desktop.page.getByRole('tab', { name })
  })
  .extend('row', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first()
  })

test.beforeEach(async ({ desktop }) => {
  await desktop.page.evaluate(() => {
    addEventListener('keydown', ({ key }) => document.body.setAttribute('data-key', key), { capture: true, once: true })
  })
})
test.afterEach(async ({ desktop }) => {
  expect(await desktop.page.evaluate(() => document.body.getAttribute('data-key'))).toBeNull()
})

test('the demonstration is started, and its steps are unfolded', async ({ desktop, button }) => {
  const { page } = desktop
  await button('Watch the demonstration').click()
  await page.locator('header').getByRole('status').getByText('done', { exact: true }).waitFor()
  await button(/^python3 -m unittest -v/)
    .first()
    .click()
  await page
    .getByText(/Ran \d+ tests in/)
    .first()
    .waitFor()
})

test('a picture says what it does where the pointer rests, and why it cannot be pressed', async ({
  desktop,
  button,
}) => {
  const { page } = desktop
  const words = page.locator('.popup')
  await button('Send').hover()
  await words.getByText('Write a message first.').waitFor()
  await page.getByRole('article', { name: 'Agent' }).last().hover()
  await button('Copy message').hover()
  await words.getByText('Copy message').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).hover()
  await words.waitFor({ state: 'detached' })
})

test('a change is reviewed, reverted and brought back', async ({ desktop, button, tab }) => {
  const { page } = desktop
  await tab(/^Changes/).click()
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /basket\.py/ })
    .click()
  await button('Review…').click()
  const review = page.getByRole('dialog', { name: 'Review' })
  await review.getByRole('button', { name: /^basket\.py/ }).click()
  await review.getByRole('heading', { name: 'basket.py' }).waitFor()
  await review.getByRole('button', { name: 'Side by side' }).click()
  await review.getByRole('button', { name: 'Revert', exact: true }).first().click()
  await review.getByText('A change in basket.py was reverted.').waitFor()
  await review.getByRole('button', { name: 'Undo' }).click()
  await review.getByRole('button', { name: /^basket\.py/ }).waitFor()
  await review.getByRole('button', { name: 'Close' }).click()
  await review.waitFor({ state: 'detached' })
})

test('a file is opened, deleted and brought back', async ({ desktop, button, tab, menu }) => {
  const { page } = desktop
  await tab('Files').click()
  const file = page.getByRole('treeitem').filter({ hasText: 'basket.py' }).first()
  await file.click()
  const dialog = page.getByRole('dialog', { name: 'basket.py' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await file.click({ button: 'right' })
  await menu('Delete').click()
  await page.getByText('Deleted basket.py').waitFor()
  await button('Undo').click()
  await file.waitFor()
})

test('a terminal is opened and closed, and the panel is made wider, folded and shown again', async ({
  desktop,
  button,
  tab,
}) => {
  const { page } = desktop
  await tab('Terminal').click()
  await button('New terminal').first().click()
  await page.locator('.xterm').waitFor()
  const separator = page.getByRole('separator', { name: 'Width of the panel' })
  const place = async () => (await separator.boundingBox())?.x ?? 0
  const before = await place()
  await page.mouse.move(before, 400)
  await page.mouse.down()
  await page.mouse.move(before - 80, 400, { steps: 4 })
  await page.mouse.up()
  await expect.poll(place).toBeLessThan(before - 60)
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /^Close/ })
    .first()
    .click()
  await page.locator('.xterm').waitFor({ state: 'detached' })
  await button('Fold the panel').first().click()
  await separator.waitFor({ state: 'detached' })
  await button('Show changes and details').click()
  await tab('Files').waitFor()
})

test('the look is chosen, and the conversation found again', async ({ desktop, row }) => {
  const { page } = desktop
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Appearance and language' }).click()
  await page.getByRole('combobox', { name: 'Theme' }).click()
  await page.getByRole('option', { name: 'Dark' }).click()
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  await row().click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
})

test('a conversation is pinned, archived, brought back and deleted', async ({ desktop, row, menu, button }) => {
  const { page } = desktop
  await row().click({ button: 'right' })
  await menu('Pin').click()
  await page.getByRole('region', { name: 'Pinned' }).waitFor()
  // The one that is open stays in the list.
  await page.getByRole('link', { name: 'New conversation' }).click()
  await row().click({ button: 'right' })
  await menu('Archive').click()
  await row().waitFor({ state: 'detached' })
  await button('Undo').click()
  await row().click({ button: 'right' })
  await menu('Delete').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await row().waitFor({ state: 'detached' })
})
