import { expect } from 'vitest'
import { pauseSandbox, searchSandboxes, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { it as test } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { testEngine } from '../../parts/engine/containers.ts'
import { look } from '../../parts/window/look.ts'

test('a person frees space: sees what can go and what is lost, chooses, and hears what became of each', async ({
  desktop,
  model,
}) => {
  const { page, service } = desktop
  const { client } = service
  const engine = testEngine()
  model.setScript([{ text: 'Nothing to do.' }])
  const { sandbox_id } = await startConversation(service, { title: 'Old work', initial_message: said('Look around.') })
  const others = await Promise.all([client.call(startSandbox, {}), client.call(startSandbox, {})])
  const states = async () => (await client.call(searchSandboxes, { query: {} })).items.map(({ status }) => status)
  await expect.poll(states).toEqual(['RUNNING', 'RUNNING', 'RUNNING'])
  const ids = [sandbox_id ?? '', ...others.map(({ id }) => id)]
  for (const id of ids) await client.call(pauseSandbox, { params: { sandbox_id: id } })

  await page.getByRole('link', { name: /Old work/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.evaluate(() => location.assign('#/settings/storage'))
  const group = page.getByRole('list', { name: 'Unused sandboxes' })
  await group.getByRole('checkbox').nth(2).waitFor()
  // Nothing that may be nowhere else is chosen before a person does it.
  expect(await group.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await group.getByText('Its conversation is archived').waitFor()
  await page.getByRole('checkbox', { name: 'Unused sandboxes' }).check()
  await look(desktop, 'free-space')
  await page.getByRole('button', { name: /^Delete .*B…$/ }).click()
  await page.getByText('What was not pushed or copied out of these is lost:').waitFor()
  await look(desktop, 'free-space-question')

  // Somebody needs one of them after all.
  const [, needed = ''] = ids
  await engine.unpauseContainer(needed)
  await expect.poll(states).toContain('RUNNING')
  await page.getByRole('button', { name: /^Delete .*B$/ }).click()
  await page.getByText(/ freed: \d+ entr/).waitFor()
  await page.getByText(`${needed}: It is in use again.`).waitFor()
  await look(desktop, 'free-space-result')
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const left = (await client.call(searchSandboxes, { query: {} })).items.map(({ id }) => id)
  expect(left).toEqual([needed])
  await engine.close()
})
