import { it as test } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

test('all keys are on one page, and it closes again', async ({ desktop }) => {
  const { page } = desktop
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  await page.keyboard.press('Control+/')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Older match').waitFor()
  await look(desktop, 'shortcuts')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
})
