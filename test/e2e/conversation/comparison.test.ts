import { expect } from 'vitest'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { look } from '../../parts/window/look.ts'

const COMMANDS: Record<string, string> = {
  one: 'printf "name\\ngreen\\nend\\n" >colour; echo only >one.txt; rm gone',
  two: 'printf "name\\nblue\\nend\\n" >colour; head -c 200 /dev/zero >bytes',
}

const test = base
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/first',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
  }))
  .extend('started', { scope: 'file' }, ({ desktop, model }) => {
    model.setScript([
      tool('terminal', { command: 'printf "name\\nred\\nend\\n" >colour; echo x >gone' }),
      { text: 'It is red.' },
    ])
    return startConversation(desktop.service, { title: 'Colours', initial_message: said('Make it red') })
  })
  .extend('files', { scope: 'file' }, ({ started }) => async () => {
    const script = 'ls; sed -n 2p colour'
    return (await runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script })).printed
  })
  .extend('dialog', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('dialog', { name: 'Compare', exact: true })
  })
  .extend('choose', { scope: 'file' }, ({ desktop, dialog }) => async (letter: string, name: RegExp) => {
    await dialog()
      .getByRole('combobox', { name: `Conversation ${letter}` })
      .click()
    await desktop.page.getByRole('option', { name }).click()
  })

test.beforeAll(async ({ desktop, model, started }) => {
  const { page } = desktop
  await page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
  await page.getByText('It is red.').waitFor()
  model.setScript(({ model: name, body }: ModelRequest) => {
    const last = (body.messages as { role: string }[]).at(-1)
    return last?.role === 'tool' ? { text: 'Done.' } : tool('terminal', { command: COMMANDS[name] ?? 'true' })
  })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Try several times' }).click()
  const asking = page.getByRole('dialog', { name: 'Try several times' })
  await asking.getByRole('textbox', { name: 'Task' }).fill('Change the colour')
  await asking.getByRole('button', { name: 'Remove attempt 3' }).click()
  for (const [number, name] of [...Object.keys(COMMANDS).entries()]) {
    await asking.getByRole('combobox', { name: `Model of attempt ${number + 1}` }).fill(`openai/${name}`)
    await page.keyboard.press('Tab')
  }
  await asking.getByRole('button', { name: 'Start 2 attempts' }).click()
  const attempts = page.getByRole('listitem').filter({ hasText: /^Attempt \d/ })
  await attempts.nth(0).getByText('3 files').waitFor()
  await attempts.nth(1).getByText('2 files').waitFor()
})

test('two attempts stand side by side, file by file, with what either has changed', async ({ desktop, dialog }) => {
  const { page } = desktop
  await page.getByRole('button', { name: 'Compare…' }).click()
  const list = dialog().getByRole('navigation', { name: 'Compared files' })
  const row = (name: string) => list.getByRole('button', { name })
  expect(await row('bytes').textContent()).toContain('only in B')
  expect(await row('colour').textContent()).toContain('changed in both')
  expect(await row('gone').textContent()).toContain('A deleted')
  expect(await row('one.txt').textContent()).toContain('only in A')
  await dialog().getByText('Binary file.').waitFor()
  await page.keyboard.press('j')
  const table = dialog().getByRole('table', { name: 'Differences in colour' })
  await table.getByRole('row', { name: /green.*blue/ }).waitFor()
  await look(desktop, 'comparison')
  await page.keyboard.press('s')
  await table.getByRole('row', { name: /green/ }).waitFor()
  expect(await table.getByRole('row', { name: /green.*blue/ }).count()).toBe(0)
  await page.keyboard.press('s')
  await dialog().getByRole('button', { name: 'Changes in B' }).click()
  await table.getByRole('row', { name: /red.*blue/ }).waitFor()
  await dialog().getByRole('button', { name: 'Changes in A' }).click()
  await table.getByRole('row', { name: /red.*green/ }).waitFor()
})

test('what an attempt has changed is taken into the conversation, and one press takes it back', async ({
  desktop,
  dialog,
  choose,
  files,
}) => {
  const { page } = desktop
  await choose('A', /this one/)
  await choose('B', /Attempt 1/)
  await dialog().getByRole('navigation').getByRole('button', { name: 'colour' }).waitFor()
  await dialog().getByRole('button', { name: 'Take files from B…' }).click()
  const taking = page.getByRole('dialog', { name: 'Take files from B into A?' })
  await taking.getByRole('checkbox', { name: /gone/ }).click()
  await look(desktop, 'comparison-take')
  await taking.getByRole('button', { name: 'Take 2 files' }).click()
  await taking.waitFor({ state: 'detached' })
  await page.getByText('2 files taken').waitFor()
  expect(await files()).toBe('colour\ngone\none.txt\ngreen')
  await page
    .getByRole('status')
    .or(page.getByRole('region', { name: 'Notices' }))
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect.poll(files).toBe('colour\ngone\nred')
})

test('the same conversation twice is no comparison, and a fork is compared with its original', async ({
  desktop,
  dialog,
  choose,
}) => {
  const { page } = desktop
  await choose('B', /this one/)
  await dialog().getByText('Both sides are the same conversation').waitFor()
  await look(desktop, 'comparison-same')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Attempt 2/ })
    .getByRole('link', { name: 'Open' })
    .click()
  await page.getByText('Change the colour').first().waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Compare with the original' }).click()
  await dialog().getByRole('navigation').getByRole('button', { name: 'bytes' }).waitFor()
  await dialog()
    .getByRole('combobox', { name: 'Conversation A' })
    .getByText(/the original/)
    .waitFor()
})
