import { expect } from 'vitest'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { it as base } from '../../fixtures/window.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('started', { scope: 'file' }, async ({ model, desktop }) => {
    const command = 'echo "<h1>Shop</h1>" >index.html; (setsid python3 -m http.server 5173 >/dev/null 2>&1 &); sleep 1'
    model.setScript([tool('terminal', { command }), { text: 'See http://localhost:5173/index.html?a=b' }])
    return startConversation(desktop.service, { title: 'Shop', initial_message: said('Serve it') })
  })
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  .extend('opened', { scope: 'file' }, ({ desktop }) => () => {
    return desktop.app.evaluate(() => Reflect.get(globalThis, 'opened') as string[])
  })
  /** What the desktop's own network stack gets there, as a browser would. */
  .extend('shown', { scope: 'file' }, ({ desktop }) => (url: string) => {
    return desktop.app.evaluate(async ({ session }, address) => {
      const answer = await session.fromPartition('browser').fetch(address)
      return `${answer.status} ${await answer.text()}`
    }, url)
  })

test.beforeAll(async ({ desktop, started }) => {
  await desktop.page.evaluate(address => location.assign(address), `#/conversations/${started.app_conversation_id}`)
  // The browser of this machine is not started: what would be opened is noted.
  await desktop.app.evaluate(({ shell }) => {
    const opened: string[] = []
    Reflect.set(globalThis, 'opened', opened)
    shell.openExternal = async url => void opened.push(url)
  })
})

test('what begins to listen is noticed, and opens in the browser', async ({ desktop, opened, shown }) => {
  const { page } = desktop
  await page.getByRole('tab', { name: /^Preview/ }).click()
  await page.getByRole('tabpanel').getByText('Port 5173').waitFor()
  await page.getByRole('tabpanel').getByText('python3').waitFor()
  await expect.poll(() => page.getByRole('tab', { name: 'Preview 1' }).count()).toBe(1)
  await look(desktop, 'preview-ports')
  await page.getByRole('button', { name: 'Open port 5173 in the browser' }).click()
  await expect.poll(opened).toHaveLength(1)
  const [url = ''] = await opened()
  expect(url).toMatch(/^http:\/\/5173-[a-z2-7]{26}\.localhost:\d+\/$/)
  expect(await shown(url)).toBe('200 <h1>Shop</h1>\n')
})

test('a sandbox that does not run shows no ports, and says so', async ({ desktop, sandbox }) => {
  const { page, service } = desktop
  await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
  await page.getByText('The sandbox does not run').waitFor()
  await page.getByText('(only in the sandbox)').waitFor()
  await look(desktop, 'preview-paused')
})
