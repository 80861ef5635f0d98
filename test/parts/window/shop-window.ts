import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { Atelier } from '../../../server/client/atelier.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { said, startConversation } from '../client/conversation.ts'
import { SANDBOX_SERVER } from '../sandbox-server.ts'
import { startSecretService } from '../secret/service.ts'
import { type DesktopApp, startDesktopApp } from './desktop-app.ts'

/** A window with a conversation whose sandbox serves a small shop on port 5173, and JSON and WebSockets on port 8000. */
export interface ShopWindow {
  desktop: DesktopApp
  model: ModelServer
  /** Id of the sandbox. */
  sandbox: string
  /** The page of the sandbox that the window shows: contents of their own. */
  guest: () => Promise<Page>
  heading: () => Promise<string | null>
  button: (name: string | RegExp) => ReturnType<Page['getByRole']>
  /** Where its address stands. */
  address: () => ReturnType<Page['getByRole']>
  go: (address: string) => Promise<void>
  close: () => Promise<void>
}

const PAGES = {
  'index.html': `<!doctype html><title>Shop</title><meta name="viewport" content="width=device-width"><h1>Shop</h1>
<a href="two.html">Two</a> <a href="two.html?new" target="_blank">Another window</a> <a href="data.csv" download>Data</a>
<button onclick="fail()">Buy</button>
<script>function fail() { console.warn('almost'); for (let i = 0; i < 3; i++) console.error('out of stock \`\`\` ' + location.port) }</script>`,
  'two.html': '<!doctype html><title>Two</title><h1>Second page</h1>',
  'data.csv': 'a,b\n',
}

export async function startShopWindow(): Promise<ShopWindow> {
  const keyring = await startSecretService()
  const model = await startModelServer({ script: () => ({ text: 'See http://localhost:5173/two.html?a=b' }) })
  const desktop = await startDesktopApp({ env: keyring.env })
  const { page, service } = desktop
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await service.client.call(storeSettingsV1, {
    body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-e2e' },
  })
  const task = await startConversation(service, { title: 'Shop', initial_message: said('Serve it') })
  const sandbox = task.sandbox_id ?? ''
  const inside = new Atelier({ url: service.url, key: service.key, connect: openWebSocket }).sandbox(sandbox)
  for (const [name, content] of Object.entries(PAGES)) await inside.writeFile(`/tmp/site/${name}`, content)
  await inside.writeFile('/tmp/server.py', SANDBOX_SERVER)
  await inside.run('cd /tmp/site && (setsid python3 -m http.server 5173 --bind 127.0.0.1 >/dev/null 2>&1 &)')
  await inside.run('cd /tmp && (setsid python3 server.py 127.0.0.1 8000 >/dev/null 2>&1 &)')
  await page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)

  const guest = async () => {
    const shown = () => desktop.app.windows().findLast(each => each !== page && !each.isClosed())
    await expect.poll(() => shown()?.url() ?? '').toMatch(/^http/)
    return shown() as Page
  }
  const address = () => page.getByRole('textbox', { name: 'Address' })
  return {
    desktop,
    model,
    sandbox,
    guest,
    heading: async () => (await guest()).locator('h1').textContent(),
    button: name => page.getByRole('button', { name }),
    address,
    go: async to => {
      await address().fill(to)
      await address().press('Enter')
    },
    close: async () => {
      await desktop.close()
      await Promise.all([keyring.close(), model.close()])
    },
  }
}
