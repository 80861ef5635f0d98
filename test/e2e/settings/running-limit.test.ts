import { expect } from 'vitest'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { getSettingsV1, storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as test } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { look } from '../../parts/window/look.ts'

test('a person limits how many sandboxes run, and hears what to do where one more would', async ({
  desktop,
  model,
}) => {
  const { page, service } = desktop
  const { client } = service
  model.setScript([{ text: 'First.' }])
  const { sandbox_id } = await startConversation(service, { title: 'First', initial_message: said('Begin.') })
  await page.evaluate(() => location.assign('#/settings/sandbox'))
  const field = page.getByRole('textbox', { name: 'Running sandboxes at most' })
  await field.fill('0')
  await page.getByText('Give a whole number, 1 or more.').waitFor()
  await field.fill('1')
  await field.scrollIntoViewIfNeeded()
  await look(desktop, 'running-limit-setting')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await client.call(getSettingsV1)).max_running_sandboxes).toBe(1)
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'hidden' })

  await page.evaluate(() => location.assign('#/'))
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('One more.')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('A sandbox runs, and only one may at once.').waitFor()
  await look(desktop, 'running-limit-start')
  await page.getByRole('link', { name: 'Open Sandboxes' }).click()

  // Paused, another one takes its place, and it is not resumed beside that one.
  await client.call(pauseSandbox, { params: { sandbox_id: sandbox_id ?? '' } })
  model.setScript([{ text: 'Second.' }])
  await startConversation(service, { title: 'Second', initial_message: said('Begin.') })
  const row = page.getByRole('row').filter({ hasText: 'First' })
  await row.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('alert').getByText('A sandbox runs, and only one may at once.').waitFor()
  await look(desktop, 'running-limit-sandboxes')
  await page.getByRole('alert').getByRole('link', { name: 'Open Settings › Sandbox' }).waitFor()
  await client.call(storeSettingsV1, { body: { max_running_sandboxes: null } })
  await row.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('alert').waitFor({ state: 'hidden' })
})
