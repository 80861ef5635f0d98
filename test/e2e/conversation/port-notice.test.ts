import { expect } from 'vitest'
import { listPorts } from '../../../server/api/v1/sandbox/ports.ts'
import { Atelier } from '../../../server/client/atelier.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { look } from '../../parts/window/look.ts'

const serve = (port: number) => `(setsid python3 -m http.server ${port} >/dev/null 2>&1 &)`

const test = base
  /** The sandbox of the open conversation, in which something listens at port 4000 already. */
  .extend('inside', { scope: 'file' }, async ({ desktop: { page, service }, model }) => {
    model.setScript([
      { text: 'Ready.' },
      tool('terminal', { command: `${serve(5173)}; sleep 1` }),
      { text: 'Serving.' },
    ])
    const task = await startConversation(service, { title: 'Shop', initial_message: said('Hello') })
    const sandbox_id = task.sandbox_id ?? ''
    const atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
    const sandbox = atelier.sandbox(sandbox_id)
    await sandbox.run(serve(4000))
    await expect.poll(() => service.client.call(listPorts, { params: { sandbox_id } })).toHaveLength(1)
    await page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
    await page.getByText('Ready.').first().waitFor()
    await page.getByRole('tab', { name: 'Preview 1' }).waitFor()
    return sandbox
  })
  .extend('notice', { scope: 'file' }, ({ desktop }) => (text: string | RegExp) => {
    return desktop.page.getByRole('region', { name: 'Notices' }).getByRole('group').filter({ hasText: text })
  })

test('what the agent serves is said with the panel folded, and opens from there', async ({
  desktop,
  inside,
  notice,
}) => {
  const { page } = desktop
  expect(inside.id).not.toBe('')
  await page.getByRole('button', { name: 'Fold the panel' }).first().click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Serve it')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  // Had port 4000 been news, one notice would count both.
  await notice('python3 is listening on port 5173.').waitFor()
  const open = notice('port 5173').getByRole('button', { name: 'Open' })
  // It stays as long as the focus is in it.
  await open.focus()
  await look(desktop, 'port-notice')
  await open.click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('localhost:5173')
  await page.getByRole('tab', { name: 'Preview 2', exact: true }).waitFor()
})

test('a port with the same program is said once, and what comes while another tab is shown is marked', async ({
  desktop,
  inside,
  notice,
}) => {
  const { page } = desktop
  await inside.run("pkill -f '[h]ttp.server 5173'")
  await page.getByRole('tab', { name: 'Preview 1' }).waitFor()
  // Ports are looked for only for a while once the preview is out of sight.
  const leavePreview = async () => {
    await page.getByRole('tab', { name: /^Preview/ }).click()
    await page.getByRole('tab', { name: /^Preview/, selected: true }).waitFor()
    await page.getByRole('tab', { name: 'Details' }).click()
  }
  await leavePreview()
  await inside.run(serve(5173))
  await page.getByRole('tab', { name: 'Preview 2', exact: true }).waitFor()
  expect(await notice('port 5173').count()).toBe(0)
  await leavePreview()
  await inside.run(serve(6100))
  // Its clock stands still as long as the pointer is there.
  await notice('python3 is listening on port 6100.').hover()
  await page.getByRole('tab', { name: 'Preview 3 (new)' }).waitFor()
  // Once it is answered, its port is not counted with the next ones.
  await notice('port 6100').getByRole('button', { name: 'Open' }).click()
  await leavePreview()
  // The second one is found by a later look, mostly, as long as the notice of the first is shown.
  await inside.run(`${serve(7100)}; sleep 4; ${serve(8100)}`)
  await notice('Programs have begun to listen on 2 ports.').hover()
  await look(desktop, 'port-mark', { narrow: false })
  await notice('2 ports').getByRole('button', { name: 'Show' }).click()
  await page.getByRole('tab', { name: 'Preview 5', exact: true }).waitFor()
})
