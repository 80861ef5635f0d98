import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openSandboxProxy } from '../../../server/api/v1/sandbox/ports.ts'
import { pauseSandbox, resumeSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { Atelier } from '../../../server/client/atelier.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { SANDBOX_SERVER } from '../../parts/sandbox-server.ts'
import { type SecretService, startSecretService } from '../../parts/secret/service.ts'
import { type DesktopApp, startDesktopApp } from '../../parts/window/desktop-app.ts'
import { keepFailure, look } from '../../parts/window/look.ts'

const PAGES = {
  'index.html': `<!doctype html><title>Shop</title><meta name="viewport" content="width=device-width"><h1>Shop</h1>
<a href="two.html">Two</a> <a href="two.html?new" target="_blank">Another window</a> <a href="data.csv" download>Data</a>
<button onclick="fail()">Buy</button>
<script>function fail() { console.warn('almost'); for (let i = 0; i < 3; i++) console.error('out of stock \`\`\` ' + location.port) }</script>`,
  'two.html': '<!doctype html><title>Two</title><h1>Second page</h1>',
  'data.csv': 'a,b\n',
}

let keyring: SecretService
let model: ModelServer
let desktop: DesktopApp
let sandbox: string

beforeAll(async () => {
  keyring = await startSecretService()
  model = await startModelServer({ script: () => ({ text: 'See http://localhost:5173/two.html?a=b' }) })
  desktop = await startDesktopApp({ env: keyring.env })
  const { page, service } = desktop
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await service.client.call(storeSettingsV1, {
    body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-e2e' },
  })
  const task = await startConversation(service, { title: 'Shop', initial_message: said('Serve it') })
  sandbox = task.sandbox_id ?? ''
  const atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
  const inside = atelier.sandbox(sandbox)
  for (const [name, content] of Object.entries(PAGES)) await inside.writeFile(`/tmp/site/${name}`, content)
  await inside.writeFile('/tmp/server.py', SANDBOX_SERVER)
  await inside.run('cd /tmp/site && (setsid python3 -m http.server 5173 --bind 127.0.0.1 >/dev/null 2>&1 &)')
  await inside.run('cd /tmp && (setsid python3 server.py 127.0.0.1 8000 >/dev/null 2>&1 &)')
  await page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
})
afterEach(({ task }) => keepFailure(desktop, task))
afterAll(async () => {
  await desktop?.close()
  await Promise.all([keyring, model].map(part => part?.close()))
})

/** What the window shows of the sandbox: contents of their own. */
async function guest(): Promise<Page> {
  const shown = () => desktop.app.windows().findLast(each => each !== desktop.page && !each.isClosed())
  await expect.poll(() => shown()?.url() ?? '').toMatch(/^http/)
  return shown() as Page
}
const heading = async () => (await guest()).locator('h1').textContent()
const button = (name: string | RegExp) => desktop.page.getByRole('button', { name })
const address = () => desktop.page.getByRole('textbox', { name: 'Address' })

test("localhost in the agent's text is shown beside it, whatever the panel showed", async () => {
  const { page } = desktop
  await page.getByRole('button', { name: 'Fold the panel' }).last().click()
  await page.getByRole('link', { name: /localhost:5173/ }).click()
  await expect.poll(heading).toBe('Second page')
  await expect.poll(() => address().inputValue()).toBe('localhost:5173/two.html?a=b')
})

test('it is gone back and forth, to a port that is typed, and to the list of ports', async () => {
  await address().fill('5173')
  await address().press('Enter')
  await expect.poll(heading).toBe('Shop')
  await (await guest()).getByRole('link', { name: 'Two' }).click()
  await expect.poll(heading).toBe('Second page')
  await button('Back').click()
  await expect.poll(heading).toBe('Shop')
  await button('Forward').click()
  await expect.poll(heading).toBe('Second page')
  await button('Back').click()
  await expect.poll(() => address().inputValue()).toBe('localhost:5173')

  await address().fill('javascript:alert(1)')
  await address().press('Enter')
  await expect.poll(() => address().getAttribute('aria-invalid')).toBe('true')
  await address().press('Escape')
  await button('All ports').click()
  await button('Open port 5173 here').waitFor()
  await button('Open port 5173 here').click()
  await expect.poll(heading).toBe('Shop')
  await look(desktop, 'preview-page', { narrow: false })
})

test('it calls other ports of the sandbox by localhost, over HTTP and WebSockets, and nothing of this computer', async () => {
  const page = await guest()
  const reached = await page.evaluate(
    async ({ service }) => {
      const socket = new WebSocket('ws://localhost:8000/hmr')
      await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }))
      const echoed = new Promise(resolve => {
        socket.onmessage = ({ data }) => resolve(data)
      })
      socket.send('reload')
      const loaded = (url: string) =>
        fetch(url, { mode: 'no-cors' }).then(
          ({ status, type }) => `${type} ${status}`,
          () => 'refused',
        )
      // Where this computer serves the API the sandbox serves nothing: that is the proxy's own answer.
      const own = await fetch(location.origin).then(({ status }) => status)
      return {
        echoed: await echoed,
        own,
        app: await loaded('app://atelier/index.html'),
        service: await fetch(service).then(
          () => 'reached',
          () => 'refused',
        ),
      }
    },
    { service: `${desktop.service.url}/alive` },
  )
  expect(reached).toEqual({ echoed: 'reload', own: 200, app: 'refused', service: 'refused' })
})

test('it has no right to anything, and leaves its place for no other', async () => {
  const { app } = desktop
  const page = await guest()
  const contents = () => app.evaluate(({ webContents }) => webContents.getAllWebContents().length)
  const before = await contents()
  const found = await page.evaluate(async () => {
    const names = [
      'camera',
      'microphone',
      'geolocation',
      'notifications',
      'clipboard-read',
      'clipboard-write',
    ] as PermissionName[]
    const states = await Promise.all(names.map(async name => (await navigator.permissions.query({ name })).state))
    const camera = await navigator.mediaDevices.getUserMedia({ video: true }).then(
      () => 'given',
      ({ name }) => name,
    )
    const copied = await navigator.clipboard.writeText('x').then(
      () => 'written',
      ({ name }) => name,
    )
    const names2 = ['require', 'process', 'atelier', 'electron', 'ipcRenderer'].filter(name => name in globalThis)
    return { states: [...new Set(states)], camera, copied, names: names2 }
  })
  expect(found).toEqual({
    states: ['denied'],
    camera: expect.not.stringMatching('given'),
    copied: 'NotAllowedError',
    names: [],
  })
  for (const target of [
    'file:///etc/passwd',
    'app://atelier/',
    'data:text/html,x',
    'javascript:document.write(1)',
    'vscode://x',
  ]) {
    await page
      .evaluate(to => {
        location.href = to
        window.open(to)
        const frame = document.createElement('iframe')
        frame.src = to
        document.body.append(frame)
      }, target)
      .catch(() => {})
  }
  await new Promise(resolve => setTimeout(resolve, 500))
  expect(page.url()).toBe('http://localhost:5173/')
  expect(
    page
      .frames()
      .map(frame => frame.url())
      .filter(url => /^(?:file|app|vscode):/.test(url)),
  ).toEqual([])
  expect(await contents()).toBe(before)
  await button('Reload').click()
  await expect.poll(heading).not.toBe('')
})

test('what asks for another window comes in its place, and a download is said to be for the browser', async () => {
  await address().fill('5173')
  await address().press('Enter')
  await expect.poll(heading).toBe('Shop')
  await (await guest()).getByRole('link', { name: 'Data' }).click()
  await desktop.page.getByText('“data.csv” was not downloaded').waitFor()
  await (await guest()).getByRole('link', { name: 'Another window' }).click()
  await expect.poll(() => address().inputValue()).toBe('localhost:5173/two.html?new')
  expect(await heading()).toBe('Second page')
  await button('Back').click()
  await expect.poll(heading).toBe('Shop')
})

test('it is shown in the width of a phone, a tablet and a desktop', async () => {
  const width = async () => (await guest()).evaluate(() => innerWidth)
  for (const [name, pixels] of [
    ['Desktop, 1280 px', 1280],
    ['Phone, 390 px', 390],
    ['Tablet, 820 px', 820],
  ] as const) {
    await button('Width of the page').click()
    await desktop.page.getByRole('menuitem', { name }).click()
    // A zoomed pixel is no whole one.
    await expect.poll(async () => Math.abs((await width()) - pixels)).toBeLessThan(4)
    if (pixels === 1280) await look(desktop, 'preview-desktop-width', { narrow: false })
  }
  await button('Width of the page').click()
  await desktop.page.getByRole('menuitem', { name: 'Width of the panel' }).click()
})

test('a picture with marks and the errors of the console go with the next message', async () => {
  const { page } = desktop
  await (await guest()).getByRole('button', { name: 'Buy' }).click()
  await button('Console, 3 errors').click()
  const list = page.getByRole('region', { name: 'Console' })
  await list.getByText('almost').waitFor()
  await list.getByText('×3').waitFor()
  await look(desktop, 'preview-console', { narrow: false })
  await button('Send to the agent').click()
  const dialog = page.getByRole('dialog', { name: 'Send to the agent' })
  const picture = dialog.getByRole('img', { name: 'Picture of the page' })
  await picture.waitFor()
  const box = await picture.boundingBox()
  if (!box) throw new Error('The picture has no place.')
  await page.mouse.move(box.x + 10, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 200, box.y + 80)
  await page.mouse.up()
  await dialog.getByText('1', { exact: true }).waitFor()
  await look(desktop, 'preview-marks', { narrow: false })
  await dialog.getByRole('button', { name: 'Add to the message' }).click()
  await page.getByRole('button', { name: 'Remove localhost:5173', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove localhost:5173.png' }).waitFor()
  await look(desktop, 'preview-attached', { narrow: false })
  const before = model.requests.length
  await page.getByRole('textbox', { name: 'Message' }).fill('Mend the shop')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect.poll(() => model.requests.length).toBeGreaterThan(before)
  const asked = JSON.stringify(model.requests[before]?.body)
  expect(asked).toContain('Mend the shop')
  expect(asked).toContain('The picture shows http://localhost:5173/, with my marks.')
  expect(asked).toContain('out of stock ``` 5173 (http://localhost:5173/')
  expect(asked).toContain('data:image/png;base64,')
})

test('a page that crashes is loaded again, and one that is not there says why', async () => {
  const { page, app } = desktop
  await app.evaluate(({ webContents }) => {
    for (const each of webContents.getAllWebContents()) if (each.getType() === 'webview') each.forcefullyCrashRenderer()
  })
  await page.getByText('The page has crashed.').waitFor()
  await look(desktop, 'preview-crashed', { narrow: false })
  await page.getByRole('button', { name: 'Load it again' }).click()
  await expect.poll(heading).toBe('Shop')
  await address().fill('https://nowhere.invalid/')
  await address().press('Enter')
  await page.getByText('nowhere.invalid could not be loaded.').waitFor()
  await address().fill('4444')
  await address().press('Enter')
  await expect.poll(heading).toBe('Nothing answers on port 4444')
  await address().fill('5173')
  await address().press('Enter')
  await expect.poll(heading).toBe('Shop')
})

test.each([
  ['its console', "for (let i = 0; i < 20_000; i++) console.log('line ' + i)"],
  ['its title', "for (let i = 0; i < 20_000; i++) document.title = 'title ' + i"],
])('a page that writes to %s without end is ended, and the window goes on', async (_, code) => {
  const { page } = desktop
  await runLater(code)
  await page.getByText('The page has crashed.').waitFor()
  await page.getByRole('button', { name: 'Load it again' }).click()
  await expect.poll(heading).toBe('Shop')
})

test('a page in an endless loop is left for another one', async () => {
  await runLater('for (;;) {}')
  await address().fill('5173/two.html')
  await address().press('Enter')
  await expect.poll(heading).toBe('Second page')
  await address().fill('5173')
  await address().press('Enter')
  await expect.poll(heading).toBe('Shop')
})

/** In the page, once this has been answered. */
async function runLater(code: string): Promise<void> {
  const page = await guest()
  await page.evaluate(text => void setTimeout(() => new Function(text)(), 50), code)
  await new Promise(resolve => setTimeout(resolve, 200))
}

test('while the sandbox rests its page does too, and it comes back to it', async () => {
  const { page, service } = desktop
  await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
  await page.getByText('The sandbox does not run').waitFor()
  await service.client.call(resumeSandbox, { params: { sandbox_id: sandbox } })
  await expect.poll(heading).toBe('Shop')
})

test('no other element of the window shows pages', async () => {
  const { page, app } = desktop
  const guests = () =>
    app.evaluate(
      ({ webContents }) => webContents.getAllWebContents().filter(each => each.getType() === 'webview').length,
    )
  const before = await guests()
  const proxy = await desktop.service.client.call(openSandboxProxy, { params: { sandbox_id: sandbox } })
  await page.evaluate(
    async ({ elements }) => {
      for (const attributes of elements) {
        const element = document.createElement('webview')
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
        document.body.append(element)
      }
    },
    {
      elements: [
        { src: 'http://localhost:5173/' },
        { src: 'http://localhost:5173/', partition: 'persist:x' },
        { src: 'http://localhost:5173/', partition: '' },
        { src: 'file:///etc/passwd', partition: `preview:${sandbox}` },
        { src: 'app://atelier/', partition: `preview:${sandbox}` },
        { src: `http://${proxy.username}/`, partition: `preview:${sandbox}/../x` },
      ],
    },
  )
  await new Promise(resolve => setTimeout(resolve, 1_000))
  expect(await guests()).toBe(before)
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('body > webview')) each.remove()
  })
})

test('an element has the rules of previews alone, whatever it asks for', async () => {
  const { page, app } = desktop
  await page.evaluate(of => {
    const element = document.createElement('webview')
    const asked = {
      src: 'http://localhost:5173/two.html',
      partition: `preview:${of}`,
      nodeintegration: 'true',
      disablewebsecurity: 'true',
      webpreferences: 'sandbox=no,contextIsolation=no,nodeIntegration=yes',
      preload: 'app://atelier/x.js',
    }
    for (const [name, value] of Object.entries(asked)) element.setAttribute(name, value)
    element.id = 'other'
    document.body.append(element)
  }, sandbox)
  const other = () => desktop.app.windows().find(each => each.url().endsWith('/two.html'))
  await expect.poll(() => other()?.title() ?? '').toBe('Two')
  expect(await other()?.evaluate(() => ['require', 'process', 'module'].filter(name => name in globalThis))).toEqual([])
  const preferences = await app.evaluate(({ webContents }) => {
    const found = webContents.getAllWebContents().find(each => each.getURL().endsWith('/two.html'))
    return Reflect.get(found ?? {}, 'getLastWebPreferences').call(found)
  })
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
  })
  await page.evaluate(() => document.querySelector('#other')?.remove())
})
