import { expect } from 'vitest'
import { deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { runScript } from '../../parts/engine/containers.ts'
import { look } from '../../parts/window/look.ts'

const COMMANDS: Record<string, string> = {
  one: 'printf "name\\ngreen\\nend\\n" >colour; echo only >one.txt; rm gone; mkdir d; mv kept d/moved; chmod +x run',
  two: 'printf "name\\nblue\\nend\\n" >colour; head -c 200 /dev/zero >bytes; mkdir many; for i in $(seq 210); do echo $i >many/$i; done',
}

const test = base
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/first',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
  }))
  .extend('started', { scope: 'file' }, ({ desktop, model }) => {
    model.setScript([
      tool('terminal', {
        command: 'printf "name\\nred\\nend\\n" >colour; echo x >gone; echo moves >kept; echo r >run',
      }),
      { text: 'It is red.' },
    ])
    return startConversation(desktop.service, { title: 'Colours', initial_message: said('Make it red') })
  })
  .extend('run', { scope: 'file' }, ({ started }) => async (script: string) => {
    return (await runScript(started.sandbox_id ?? '', { cwd: '/workspace/project', script })).printed
  })
  .extend(
    'files',
    { scope: 'file' },
    ({ run }) =>
      () =>
        run('ls; sed -n 2p colour'),
  )
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
  await attempts.nth(0).getByText('6 files').waitFor()
  await attempts.nth(1).getByText('212 files').waitFor()
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
  expect(await row('run').textContent()).toContain('Kind: A executable file, B file')
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
  // Far below what can be seen of the list at first.
  for (let step = 0; step < 60; step++) await page.keyboard.press('j')
  const shown = list.locator('[aria-current=true]')
  expect(await shown.textContent()).toMatch(/^many\//)
  await expect.poll(() => shown.evaluate(isInSight)).toBe(true)
  for (let step = 0; step < 60; step++) await page.keyboard.press('k')
  await expect.poll(() => row('colour').evaluate(isInSight)).toBe(true)
})

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  const list = element.closest('nav')?.getBoundingClientRect()
  return list !== undefined && top >= list.top && bottom <= list.bottom
}

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
  await taking.getByRole('checkbox', { name: /kept → d\/moved/ }).waitFor()
  await taking.getByRole('checkbox', { name: /gone/ }).click()
  await look(desktop, 'comparison-take')
  await taking.getByRole('button', { name: 'Take 4 files' }).click()
  await taking.waitFor({ state: 'detached' })
  await page.getByText('5 files taken').waitFor()
  expect(await files()).toBe('colour\nd\ngone\none.txt\nrun\ngreen')
  await page
    .getByRole('status')
    .or(page.getByRole('region', { name: 'Notices' }))
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect.poll(files).toBe('colour\ngone\nkept\nrun\nred')
})

test('of many files all can be seen, and all or none be chosen at once', async ({ desktop, dialog }) => {
  const { page } = desktop
  await dialog().getByRole('combobox', { name: 'Conversation B' }).click()
  await look(desktop, 'comparison-sides', { narrow: false })
  await page.getByRole('option', { name: /Attempt 2/ }).click()
  await dialog().getByRole('navigation').getByRole('button', { name: 'bytes' }).waitFor()
  await dialog().getByRole('button', { name: 'Take files from B…' }).click()
  const taking = page.getByRole('dialog', { name: 'Take files from B into A?' })
  const all = taking.getByRole('checkbox', { name: 'All files' })
  const take = taking.getByRole('button', { name: /^Take/ })
  expect(await take.textContent()).toBe('Take 212 files')
  await look(desktop, 'comparison-take-many')
  await taking.getByRole('button', { name: 'Show more (12 files left, 12 of them chosen)' }).click()
  await taking.getByRole('checkbox', { name: 'many/99' }).click()
  expect(await take.textContent()).toBe('Take 211 files')
  expect(await all.getAttribute('aria-checked')).toBe('mixed')
  await all.click()
  expect(await take.textContent()).toBe('Take 212 files')
  await all.click()
  expect(await take.textContent()).toBe('Take files')
  await taking.getByRole('button', { name: 'Cancel' }).click()
})

test('what was compared stays when it cannot be compared again', async ({ desktop, dialog, run }) => {
  const { page } = desktop
  const list = '**/comparisons/*/files'
  await dialog().getByRole('button', { name: 'Take files from B…' }).click()
  const taking = page.getByRole('dialog', { name: 'Take files from B into A?' })
  await run('echo later >gone')
  await page.route(list, route => route.abort())
  await taking.getByRole('button', { name: 'Take 212 files' }).click()
  await taking.getByText('The files have changed since they were compared.').waitFor()
  await look(desktop, 'comparison-take-late')
  await taking.getByRole('button', { name: 'Cancel' }).click()
  const again = dialog().getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await look(desktop, 'comparison-outdated')
  const row = (name: string) => dialog().getByRole('navigation').getByRole('button', { name })
  await row('bytes').waitFor()
  await page.unroute(list)
  await again.click()
  await row('gone').waitFor()
  await again.waitFor({ state: 'detached' })
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

test('an original that was deleted is not offered, which the menu says', async ({ desktop, dialog, started }) => {
  const { page } = desktop
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  const params = { conversation_id: started.app_conversation_id ?? '' }
  await desktop.service.client.call(deleteAppConversation, { params })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const item = page.getByRole('menuitem', { name: 'Compare with the original' })
  await item.getByText('The original was deleted.').waitFor()
  expect(await item.getAttribute('aria-disabled')).toBe('true')
  await look(desktop, 'comparison-no-original', { narrow: false })
})
