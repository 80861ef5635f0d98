import { expect } from 'vitest'
import { getSandboxNetwork } from '../../../server/api/v1/sandbox/network.ts'
import { getSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { hasFocus } from '../../parts/window/focus.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-e2e',
    allowed_hosts: ['host.docker.internal'],
  }))
  .extend('sandboxId', { scope: 'file' }, async ({ desktop, model }) => {
    model.setScript([
      { toolCalls: [{ name: 'terminal', arguments: { command: 'curl -sS -m 5 http://not-allowed.test/' } }] },
      { toolCalls: [{ name: 'finish', arguments: { message: 'It is not reached.' } }] },
    ])
    const { app_conversation_id, sandbox_id } = await startConversation(desktop.service, {
      title: 'A host that is not allowed',
      initial_message: said('Fetch it.'),
      network_policy: { network: 'allowlist', allowlist: { presets: ['code'], hosts: ['mine.test'] } },
    })
    await desktop.page.evaluate(address => location.assign(address), `#/conversations/${app_conversation_id}`)
    return sandbox_id ?? ''
  })
  .extend('policy', { scope: 'file' }, ({ desktop, sandboxId }) => async () => {
    const { client } = desktop.service
    const { network, allowlist } = await client.call(getSandboxNetwork, { params: { sandbox_id: sandboxId } })
    return { network, ...allowlist }
  })
  .extend('part', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.page.getByRole('tabpanel').getByRole('region', { name: 'Network' })
  })
  .extend('notice', { scope: 'file' }, ({ desktop }) => (text: string) => {
    return desktop.page.getByRole('region', { name: 'Notices' }).getByRole('group').filter({ hasText: text })
  })

const REFUSED = 'not-allowed.test was refused by the network policy.'

test('what the policy refuses is said once, allowed there, and refused again', async ({ desktop, policy, notice }) => {
  const { page } = desktop
  // Its clock stands still meanwhile.
  await notice(REFUSED).hover()
  await page.locator('header').getByRole('button', { name: 'Network: Only these hosts' }).waitFor()
  await look(desktop, 'network-refused')
  await notice(REFUSED).getByRole('button', { name: 'Allow this host' }).click()
  await notice('not-allowed.test is allowed now.').waitFor()
  await expect.poll(policy).toMatchObject({ network: 'allowlist', hosts: ['mine.test', 'not-allowed.test'] })
  await notice('not-allowed.test is allowed now.').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(policy).toMatchObject({ hosts: ['mine.test'] })
  expect(await notice(REFUSED).count()).toBe(0)
})

test('the chip of the sandbox leads there, and the keyboard allows and removes', async ({ desktop, policy, part }) => {
  const { page } = desktop
  await page.locator('header').getByRole('button', { name: 'Network: Only these hosts' }).focus()
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('menuitem').first())
  await page.keyboard.press('End')
  await hasFocus(page.getByRole('menuitem', { name: 'Network: Only these hosts…' }))
  await page.keyboard.press('Enter')
  const row = part().getByRole('list', { name: 'What it tried to reach' }).getByRole('listitem')
  await row.filter({ hasText: 'not-allowed.test:80' }).getByText('refused', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Details 1 refused host' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('network-part')
  await page.keyboard.press('Tab')
  await expect(part().getByRole('radio', { checked: true }).evaluate(isFocused)).resolves.toBe(true)
  await look(desktop, 'network-details')
  await part().getByRole('button', { name: 'Allow not-allowed.test' }).press('Enter')
  await row.getByText('refused, allowed now').waitFor()
  await expect.poll(policy).toMatchObject({ hosts: ['mine.test', 'not-allowed.test'] })
  await part().getByRole('button', { name: 'Remove mine.test' }).press('Enter')
  await expect.poll(policy).toMatchObject({ hosts: ['not-allowed.test'] })
  await expect(part().getByRole('button', { name: 'Remove not-allowed.test' }).evaluate(isFocused)).resolves.toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(policy).toMatchObject({ hosts: [] })
  await expect(part().getByRole('textbox', { name: 'Host to add' }).evaluate(isFocused)).resolves.toBe(true)
})

test('hosts are typed and pasted, and what does not fit says why', async ({ desktop, policy, part, notice }) => {
  const field = part().getByRole('textbox', { name: 'Host to add' })
  await field.fill('*.com')
  await field.press('Enter')
  await part().getByText('*.com is nearly everything.').waitFor()
  await look(desktop, 'network-wrong', { narrow: false })
  await field.fill('https://docs.example.com/page')
  await field.press('Enter')
  await expect.poll(policy).toMatchObject({ hosts: ['docs.example.com'] })
  await field.evaluate(input => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'a.test\nb.test:22\nb.test/path\n')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect.poll(policy).toMatchObject({ hosts: ['docs.example.com', 'a.test', 'b.test:22'] })
  expect(await field.inputValue()).toBe('b.test/path')
  await field.fill('')
  await part().getByRole('switch', { name: 'Package registries' }).press('Space')
  await expect.poll(policy).toMatchObject({ presets: ['code', 'packages'] })
  await notice('Allowed now: Package registries').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(policy).toMatchObject({ presets: ['code'] })
})

test('nothing is reached from one key press on, and the hosts come back with Undo', async ({
  desktop,
  policy,
  part,
  notice,
}) => {
  const { page } = desktop
  await part().getByRole('radio', { checked: true }).focus()
  await page.keyboard.press('ArrowDown')
  // Its clock stands still meanwhile.
  await notice('The sandbox reaches nothing now.').hover()
  await expect.poll(policy).toMatchObject({ network: 'none', presets: ['code'] })
  await page.locator('header').getByRole('button', { name: 'Network: Nothing' }).waitFor()
  await look(desktop, 'network-none', { narrow: false })
  await notice('The sandbox reaches nothing now.').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(policy).toMatchObject({ network: 'allowlist' })
  await part().getByRole('button', { name: 'Remove docs.example.com' }).waitFor()
})

test('the launcher chooses it for a new sandbox', async ({ desktop, model, notice, part }) => {
  const { page } = desktop
  model.setScript([{ text: 'Hello.' }])
  await page.evaluate(() => location.assign('#/'))
  await page.getByRole('button', { name: 'Network: Internet' }).click()
  await page.getByRole('radio', { name: /^Only these hosts/ }).click()
  await page.getByRole('switch', { name: 'Documentation' }).click()
  const field = page.getByRole('textbox', { name: 'Host to add' })
  await field.fill('launched.test')
  await look(desktop, 'network-launcher', { narrow: false })
  // What was typed is meant, also by who goes on without a press of Add.
  await page.getByRole('switch', { name: 'Documentation' }).focus()
  await page.getByRole('button', { name: 'Remove launched.test' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'What should the agent do' }).fill('Say hello.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('Hello.', { exact: true }).waitFor()
  await page.locator('header').getByRole('button', { name: 'Network: Only these hosts' }).waitFor()
  await part().getByRole('button', { name: 'Remove launched.test' }).waitFor()
  await expect(part().getByRole('switch', { name: 'Documentation', checked: true }).count()).resolves.toBe(1)
  expect(await notice('was refused').count()).toBe(0)
})

function isFocused(element: Element): boolean {
  return element === document.activeElement
}

test('a private address that was refused is opened for every sandbox after a question, and closed again', async ({
  desktop,
  model,
}) => {
  const { page, service } = desktop
  model.setScript([
    { toolCalls: [{ name: 'terminal', arguments: { command: 'curl -sS -m 5 http://10.11.12.13:5432/' } }] },
    { toolCalls: [{ name: 'finish', arguments: { message: 'It is not reached.' } }] },
  ])
  const { app_conversation_id } = await startConversation(service, {
    title: 'A database at home',
    initial_message: said('Ask it.'),
  })
  await page.evaluate(address => location.assign(address), `#/conversations/${app_conversation_id}`)
  const notices = page.getByRole('region', { name: 'Notices' }).getByRole('group')
  const refusal = notices.filter({ hasText: '10.11.12.13 was refused by the network policy.' })
  await refusal.getByRole('button', { name: 'Show' }).click()
  const part = page.getByRole('tabpanel').getByRole('region', { name: 'Network' })
  await part.getByText('10.11.12.13:5432').waitFor()
  await part.getByRole('button', { name: 'Allow 10.11.12.13:5432 …' }).click()
  const question = page.getByRole('alertdialog', { name: 'Let sandboxes reach 10.11.12.13:5432?' })
  await question.waitFor()
  await look(desktop, 'network-allow-private', { narrow: false })
  await question.getByRole('button', { name: 'Allow' }).click()
  await part.getByText('refused, allowed now').waitFor()
  const hosts = async () => (await service.client.call(getSettingsV1)).allowed_hosts
  expect(await hosts()).toEqual(['host.docker.internal', '10.11.12.13:5432'])
  const done = notices.filter({ hasText: 'Sandboxes can reach 10.11.12.13:5432 now.' })
  await done.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(hosts).toEqual(['host.docker.internal'])
  await part.getByRole('button', { name: 'Allow 10.11.12.13:5432 …' }).waitFor()
})
