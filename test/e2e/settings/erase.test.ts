import { expect } from 'vitest'
import { searchAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { look } from '../../parts/window/look.ts'

const test = base.extend('model', { scope: 'file' }, async ({}, { onCleanup }) => {
  const model = await startModelServer({ script: () => ({ text: 'Done.' }) })
  onCleanup(() => model.close())
  return model
})

test('old conversations go by a rule that says first what it does', async ({ desktop }) => {
  const { page, service } = desktop
  await startConversation(service, { title: 'Preserves', initial_message: said('One') })
  await page.evaluate(() => location.assign('#/settings/storage'))
  const days = page.getByRole('textbox', { name: 'Delete after days without use' })
  await days.fill('0')
  await page.getByRole('textbox', { name: 'Archive after days without use' }).fill('30')
  await page.getByText('Give a whole number of days').first().waitFor()
  await days.fill('365')
  await page.getByText('Saving deletes nothing at once.').waitFor()
  await look(desktop, 'settings-retention')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByText('Saving deletes nothing at once.').count()).toBe(0)
})

test('all data is deleted once its word is typed, and the window begins as on the first day', async ({ desktop }) => {
  const { page, service } = desktop
  await page.getByRole('button', { name: 'Delete all data …' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete all data?' })
  const confirm = dialog.getByRole('button', { name: 'Delete all data' })
  expect(await confirm.isDisabled()).toBe(true)
  await look(desktop, 'settings-erase')
  await dialog.getByRole('textbox').fill('delete')
  await page.evaluate(() => localStorage.setItem('atelier.draft', 'mine'))
  await confirm.click()
  await page.getByRole('button', { name: 'Skip for now' }).waitFor()
  await look(desktop, 'first-run-after-erase')
  expect(await page.evaluate(() => localStorage.getItem('atelier.draft'))).toBeNull()
  const found = await service.client.call(searchAppConversations, { query: {} }).catch(error => error.status)
  expect(found).toBe(401)
})
