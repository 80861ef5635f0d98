import { expect } from 'vitest'
import { it as base } from '../fixtures/window.ts'
import { hasFocus } from '../parts/window/focus.ts'
import { look } from '../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, null)
  /** Presses Tab until what is named so has the focus. */
  .extend('tabTo', { scope: 'file' }, ({ desktop }) => async (name: string | RegExp): Promise<void> => {
    const seen: string[] = []
    for (let press = 0; press < 80; press++) {
      await desktop.page.keyboard.press('Tab')
      const focused = await desktop.page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute('aria-label') ?? element?.textContent?.replace(/\s+/g, ' ').trim() ?? ''
      })
      if (typeof name === 'string' ? focused === name : name.test(focused)) return
      seen.push(focused.slice(0, 40))
    }
    throw new Error(`Tab never came to ${name}. It came to: ${seen.join(' | ')}`)
  })

test('without a model and without a mouse, the demonstration is watched to its end', async ({ desktop, tabTo }) => {
  const { page } = desktop
  await page.getByText(/Docker .*, \d+ processors?/).waitFor()
  await tabTo('Watch the demonstration')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Starting the conversation' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.locator('header').getByRole('status').getByText('working', { exact: true }).waitFor()
  await page.locator('header').getByRole('status').getByText('done', { exact: true }).waitFor()
  await look(desktop, 'demonstration-done')
})

test('its commands were real: the tests failed, a file was changed, the tests pass', async ({ desktop }) => {
  const { page } = desktop
  await page
    .getByText(/exit 1 · /)
    .first()
    .waitFor()
  expect(await page.getByText(/exit 0 · /).count()).toBeGreaterThan(1)
  await page.getByRole('tab', { name: /^Changes/ }).waitFor()
  await page
    .getByRole('tabpanel', { name: /^Changes/ })
    .getByRole('button', { name: /basket\.py/ })
    .waitFor()
})

test('an action unfolds by keyboard', async ({ desktop, tabTo }) => {
  const { page } = desktop
  await tabTo(/^python3 -m unittest -v/)
  await page.keyboard.press('Enter')
  await page
    .getByText(/Ran \d+ tests in/)
    .last()
    .waitFor()
})

test('every page is a shortcut or the palette away', async ({ desktop }) => {
  const { page } = desktop
  await page.keyboard.press('Control+k')
  await hasFocus(page.getByRole('combobox', { name: 'Go to' }))
  await look(desktop, 'palette')
  await page.keyboard.type('sandboxes')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sandboxes', exact: true }).waitFor()
  await page.keyboard.press('Control+n')
  await page.getByRole('textbox', { name: 'What should the agent do' }).waitFor()
  await look(desktop, 'launcher-no-model')
  await page.keyboard.press('Control+b')
  await page.getByRole('button', { name: 'Show conversations' }).waitFor()
  await look(desktop, 'sidebar-folded')
  await page.keyboard.press('Control+b')
  await page.getByRole('button', { name: 'Hide conversations' }).waitFor()
})
