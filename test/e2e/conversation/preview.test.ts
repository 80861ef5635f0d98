import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { type SecretService, startSecretService } from '../../parts/secret/service.ts'
import { type DesktopApp, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { keepFailure, look } from '../../parts/window/look.ts'

let keyring: SecretService
let model: ModelServer
let desktop: DesktopApp
let sandbox: string

beforeAll(async () => {
  keyring = await startSecretService()
  model = await startModelServer()
  desktop = await startDesktopApp({ env: keyring.env })
  await desktop.page.getByRole('button', { name: 'Skip for now' }).click()
  await desktop.service.client.call(storeSettingsV1, {
    body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-e2e' },
  })
  const command = 'echo "<h1>Shop</h1>" >index.html; (setsid python3 -m http.server 5173 >/dev/null 2>&1 &); sleep 1'
  model.setScript([tool('terminal', { command }), { text: 'See http://localhost:5173/index.html?a=b' }])
  const task = await startConversation(desktop.service, { title: 'Shop', initial_message: said('Serve it') })
  sandbox = task.sandbox_id ?? ''
  await desktop.page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
  // The browser of this machine is not started: what would be opened is noted.
  await desktop.app.evaluate(({ shell }) => {
    const opened: string[] = []
    Reflect.set(globalThis, 'opened', opened)
    shell.openExternal = async url => void opened.push(url)
  })
})
afterEach(({ task }) => keepFailure(desktop, task))
afterAll(async () => {
  await desktop?.close()
  await Promise.all([keyring, model].map(part => part?.close()))
})

const opened = () => desktop.app.evaluate(() => Reflect.get(globalThis, 'opened') as string[])

/** What the desktop's own network stack gets there, as a browser would. */
const shown = (url: string) =>
  desktop.app.evaluate(async ({ session }, address) => {
    const answer = await session.fromPartition('browser').fetch(address)
    return `${answer.status} ${await answer.text()}`
  }, url)

test('what begins to listen is noticed, and opens in the browser', async () => {
  const { page } = desktop
  await page.getByRole('tab', { name: /^Preview/ }).click()
  await page.getByText('Port 5173').waitFor()
  await page.getByRole('tabpanel').getByText('python3').waitFor()
  await expect.poll(() => page.getByRole('tab', { name: 'Preview 1' }).count()).toBe(1)
  await look(desktop, 'preview-ports')
  await page.getByRole('button', { name: 'Open port 5173 in the browser' }).click()
  await expect.poll(opened).toHaveLength(1)
  const [url = ''] = await opened()
  expect(url).toMatch(/^http:\/\/5173-[a-z2-7]{26}\.localhost:\d+\/$/)
  expect(await shown(url)).toBe('200 <h1>Shop</h1>\n')
})

test('a sandbox that does not run shows no ports, and says so', async () => {
  const { page, service } = desktop
  await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
  await page.getByText('The sandbox does not run').waitFor()
  await page.getByText('(only in the sandbox)').waitFor()
  await look(desktop, 'preview-paused')
})
