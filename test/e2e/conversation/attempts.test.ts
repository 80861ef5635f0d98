import { expect } from 'vitest'
import { saveLlmProfileV1 } from '../../../server/api/v1/settings/llm-profiles.ts'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/first',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
  }))
  .extend('menu', { scope: 'file' }, ({ desktop }) => async (item: string) => {
    const { page } = desktop
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  })
  .extend('attempts', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('listitem').filter({ hasText: /^Attempt \d/ })
  })

test.beforeAll(async ({ desktop, model }) => {
  const { page, service } = desktop
  const llm = { model: 'openai/other', base_url: model.url.openai, api_key: 'sk-other' }
  await service.client.call(saveLlmProfileV1, { params: { name: 'spare' }, body: { llm } })
  model.setScript([tool('terminal', { command: 'echo red >colour' }), { text: 'It is red.' }])
  const task = await startConversation(service, { title: 'Colours', initial_message: said('Make it red') })
  await page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
  await page.getByText('It is red.').waitFor()
})

test('several models try one task, their results stand side by side, and one is kept', async ({
  desktop,
  model,
  menu,
  attempts,
}) => {
  const { page } = desktop
  const home = page.url()
  model.setScript(({ model: name, body }: ModelRequest) => {
    const last = (body.messages as { role: string }[]).at(-1)
    if (last?.role === 'tool') return { text: 'Done.' }
    return tool('terminal', { command: name === 'other' ? 'echo blue >colour' : 'echo green >colour; touch more' })
  })
  await menu('Try several times')
  const dialog = page.getByRole('dialog', { name: 'Try several times' })
  // The words of a button take no key from it.
  await dialog.getByRole('combobox', { name: 'Model of attempt 1' }).focus()
  await page.keyboard.press('Tab')
  await page.getByText('Remove attempt 1', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await menu('Try several times')
  await dialog.getByRole('button', { name: 'Start 3 attempts' }).click()
  await dialog.getByText('Say what the agent is to do.').waitFor()
  await dialog.getByRole('textbox', { name: 'Task' }).fill('Make it green')
  await dialog.getByRole('button', { name: 'Remove attempt 3' }).click()
  await dialog.getByRole('combobox', { name: 'Model of attempt 2' }).fill('spare')
  await page.keyboard.press('Tab')
  await dialog.getByRole('textbox', { name: 'Check' }).fill('grep green colour')
  await look(desktop, 'attempts-dialog')
  await dialog.getByRole('button', { name: 'Start 2 attempts' }).click()
  await attempts().nth(1).waitFor()
  await look(desktop, 'attempts-starting')
  await attempts().nth(0).getByText('Check passes').waitFor()
  await attempts().nth(1).getByText('Check fails (1)').waitFor()
  await attempts().nth(0).getByText('2 files').waitFor()
  await attempts().nth(1).getByText('spare · openai/other').waitFor()
  await attempts().nth(0).getByText('Output of the check').click()
  await look(desktop, 'attempts-done')
  await page.getByRole('combobox', { name: 'Order of the attempts' }).click()
  await page.getByRole('option', { name: 'Smallest change first' }).click()
  await attempts().nth(0).getByText('Attempt 2').waitFor()
  await page.getByRole('combobox', { name: 'Order of the attempts' }).click()
  await page.getByRole('option', { name: 'Passing first' }).click()
  await attempts().nth(0).getByText('Attempt 1').waitFor()

  await attempts().nth(0).getByRole('link', { name: 'Open' }).click()
  await page.getByText('Make it green').first().waitFor()
  await page.evaluate(address => location.assign(address), home)
  await attempts().nth(0).getByRole('button', { name: 'Keep' }).click()
  const question = page.getByRole('alertdialog', { name: 'Keep attempt 1?' })
  await question.getByText('The other attempt is deleted').waitFor()
  await question.getByRole('button', { name: 'Keep' }).click()
  await question.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: 'Attempts' }).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: /Colours \(1\)/ }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: /Colours \(2\)/ }).count()).toBe(0)
})

test('a conversation goes on in a sandbox of its own, from a message or from where it stands', async ({
  desktop,
  model,
  menu,
}) => {
  const { page } = desktop
  const home = page.url()
  model.setScript([{ text: 'It is still red.' }])
  await menu('Fork into its own sandbox')
  await page.getByRole('heading', { name: 'Colours (fork)' }).or(page.getByText('Colours (fork)')).first().waitFor()
  await expect.poll(() => page.url()).toContain('/conversations/')
  expect(page.url()).not.toBe(home)
  await page.getByText('It is red.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Which colour?')
  await page.keyboard.press('Enter')
  await page.getByText('It is still red.').waitFor()
})
