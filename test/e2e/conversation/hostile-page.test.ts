import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { keepFailure } from '../../parts/window/look.ts'
import { type ShopWindow, startShopWindow } from '../../parts/window/shop-window.ts'

let shop: ShopWindow
beforeAll(async () => {
  shop = await startShopWindow()
})
afterEach(({ task }) => keepFailure(shop?.desktop, task))
afterAll(() => shop?.close())

test('a page of the sandbox is shown', async () => {
  await shop.desktop.page.getByRole('link', { name: /localhost:5173/ }).click()
  await expect.poll(shop.heading).toBe('Second page')
  await shop.go('5173')
  await expect.poll(shop.heading).toBe('Shop')
})

test('it calls other ports of the sandbox by localhost, over HTTP and WebSockets, and nothing of this computer', async () => {
  const page = await shop.guest()
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
    { service: `${shop.desktop.service.url}/alive` },
  )
  expect(reached).toEqual({ echoed: 'reload', own: 200, app: 'refused', service: 'refused' })
})

test('it has no right to anything, and leaves its place for no other', async () => {
  const { app } = shop.desktop
  const page = await shop.guest()
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
  await shop.button('Reload').click()
  await expect.poll(shop.heading).not.toBe('')
})

test.each([
  ['its console', "for (let i = 0; i < 20_000; i++) console.log('line ' + i)"],
  ['its title', "for (let i = 0; i < 20_000; i++) document.title = 'title ' + i"],
])('a page that writes to %s without end is ended, and the window goes on', async (_, code) => {
  const { page } = shop.desktop
  await runLater(code)
  await page.getByText('The page has crashed.').waitFor()
  await page.getByRole('button', { name: 'Load it again' }).click()
  await expect.poll(shop.heading).toBe('Shop')
})

test('a page in an endless loop is left for another one', async () => {
  await runLater('for (;;) {}')
  await shop.go('5173/two.html')
  await expect.poll(shop.heading).toBe('Second page')
  await shop.go('5173')
  await expect.poll(shop.heading).toBe('Shop')
})

test('no other element of the window shows pages', async () => {
  const { page, app } = shop.desktop
  const guests = () =>
    app.evaluate(
      ({ webContents }) => webContents.getAllWebContents().filter(each => each.getType() === 'webview').length,
    )
  const before = await guests()
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
        { src: 'file:///etc/passwd', partition: `preview:${shop.sandbox}` },
        { src: 'app://atelier/', partition: `preview:${shop.sandbox}` },
        { src: 'http://localhost:5173/', partition: `preview:${shop.sandbox}/../x` },
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
  const { page, app } = shop.desktop
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
  }, shop.sandbox)
  const other = () => shop.desktop.app.windows().find(each => each.url().endsWith('/two.html'))
  await expect.poll(() => other()?.title() ?? '').toBe('Two')
  expect(await other()?.evaluate(() => ['require', 'process', 'module'].filter(name => name in globalThis))).toEqual([])
  const preferences = await app.evaluate(({ webContents }) => {
    const found = webContents.getAllWebContents().find(each => each.getURL().endsWith('/two.html'))
    return Reflect.get(found ?? {}, 'getLastWebPreferences').call(found)
  })
  expect(preferences).toMatchObject({
    sandbox: true,
    // A debugger answers dialogs before the window would show them, so that no test sees one.
    disableDialogs: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
  })
  await page.evaluate(() => document.querySelector('#other')?.remove())
})
/** In the page, once this has been answered. */
async function runLater(code: string): Promise<void> {
  const page = await shop.guest()
  await page.evaluate(text => void setTimeout(() => new Function(text)(), 50), code)
  await new Promise(resolve => setTimeout(resolve, 200))
}
