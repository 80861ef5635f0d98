import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { it as base } from '../fixtures/window.ts'
import { filesWith } from '../parts/secret/kept-secrets.ts'
import { desktopEnv, desktopProgram, startDesktopApp } from '../parts/window/desktop-app.ts'

const test = base.extend('settings', { scope: 'file' }, null)

test('a page has the bridge and nothing of Node or Electron', async ({ desktop }) => {
  const found = await desktop.page.evaluate(() => ({
    bridge: Object.keys(window.atelier ?? {}).sort(),
    // A file that the page has made itself lies nowhere.
    path: window.atelier?.pathOf(new File(['x'], '/etc/passwd')),
    node: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter(name => name in globalThis),
  }))
  expect(found.bridge).toEqual([
    'background',
    'beginAnew',
    'cancelDownload',
    'changeBackground',
    'changeUpdates',
    'chooseFolder',
    'connection',
    'download',
    'editors',
    'isConversationWindow',
    'notify',
    'onDownload',
    'onNotificationChoice',
    'onPreviewDownload',
    'onUpdates',
    'openConversation',
    'openExternal',
    'openInEditor',
    'openPreview',
    'pathOf',
    'pictureOfPreview',
    'platform',
    'quit',
    'setTheme',
    'speak',
    'updates',
  ])
  expect(found.path).toBe('')
  expect(found.node).toEqual([])
})

test('text does not become code, and an injected script does not run', async ({ desktop }) => {
  const ran = await desktop.page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'window.injected = true'
    const image = document.createElement('img')
    image.setAttribute('onerror', 'window.injected = true')
    image.src = '/missing.png'
    document.body.append(script, image)
    setTimeout('window.injected = true' as never) // text as code, where types would not let it
    await new Promise(resolve => image.addEventListener('error', () => setTimeout(resolve)))
    return 'injected' in window
  })
  expect(ran).toBe(false)
})

test('nothing leaves for another computer: fetch, socket, picture, frame, beacon', async ({ desktop }) => {
  const reached = await desktop.page.evaluate(async () => {
    const outcome = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'reached',
        () => 'refused',
      )
    const picture = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const image = new Image()
        image.onload = resolve
        image.onerror = reject
        image.src = 'https://example.com/x.png'
      })
    const socket = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const client = new WebSocket('ws://localhost:9')
        client.onopen = resolve
        client.onerror = reject
      })
    const policies: string[] = []
    const frameRefused = new Promise<void>(resolve => {
      document.addEventListener('securitypolicyviolation', event => {
        policies.push(event.effectiveDirective)
        if (event.effectiveDirective === 'frame-src') resolve()
      })
    })
    const frame = Object.assign(document.createElement('iframe'), { src: 'https://example.com/' })
    document.body.append(frame)
    navigator.sendBeacon('https://example.com/', 'x')
    const outcomes = [
      await outcome(fetch('https://example.com/')),
      await outcome(fetch('http://localhost:9/')),
      await outcome(fetch('app://atelier/index.html')),
      await outcome(Promise.resolve().then(socket)),
      await outcome(picture()),
    ]
    await frameRefused
    frame.remove()
    return { outcomes, policies }
  })
  expect(reached.outcomes).toEqual(['refused', 'refused', 'refused', 'refused', 'refused'])
  expect(new Set(reached.policies)).toEqual(new Set(['connect-src', 'img-src', 'frame-src']))
})

test('the page cannot be led away or open windows; web links go to the browser, other addresses nowhere', async ({
  desktop,
}) => {
  const { app, page } = desktop
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async address => void opened.push(address)
  })
  const opened = await page.evaluate(async () => {
    const windows = ['https://example.com/a', 'file:///etc/passwd', 'app://atelier/', 'about:blank'].map(a =>
      window.open(a),
    )
    for (const address of [
      'file:///etc/passwd',
      'data:text/html,x',
      'javascript:document.write(1)',
      'https://example.com/b',
    ]) {
      const link = document.createElement('a')
      link.href = address
      document.body.append(link)
      link.click()
      link.remove()
    }
    for (const address of ['https://example.com/c', 'file:///etc/passwd', 'vscode://x', 'https://u:p@example.com/']) {
      await window.atelier?.openExternal(address)
    }
    return windows.filter(Boolean).length
  })
  expect(opened).toBe(0)
  expect(app.windows()).toHaveLength(1)
  expect(new URL(page.url()).host).toBe('atelier')
  const browser: unknown = await app.evaluate(() => Reflect.get(globalThis, 'opened'))
  expect(browser).toEqual(expect.arrayContaining(['https://example.com/a', 'https://example.com/c']))
  expect(JSON.stringify(browser)).not.toMatch(/file:|data:|vscode:|javascript:|u:p/)
})

test('a page is given no camera, place, clipboard or notifications', async ({ desktop }) => {
  const states = await desktop.page.evaluate(async () => {
    const names = ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi'] as PermissionName[]
    return Promise.all(names.map(async name => (await navigator.permissions.query({ name })).state))
  })
  expect(new Set(states)).toEqual(new Set(['denied']))
})

test('the API key is in the keychain and in no file', async ({ desktop }) => {
  const key = await desktop.page.evaluate(async () => (await window.atelier?.connection())?.sessionApiKey ?? '')
  expect(key.length).toBeGreaterThanOrEqual(40)
  const holders = filesWith(desktop.dataDir, key)
  expect(holders).toEqual([])
})

test('a second start brings the first window back and ends', async ({ keyring, desktop }) => {
  const { path, args } = desktopProgram()
  const second = spawn(path, args, { env: desktopEnv(keyring.env, desktop.dataDir), stdio: 'ignore' })
  const [code] = await once(second, 'exit')
  expect(code).toBe(0)
  expect(desktop.app.windows()).toHaveLength(1)
})

test('SIGTERM ends the app in order before a session of the desktop would kill it', async ({ keyring }) => {
  const other = await startDesktopApp({ env: keyring.env })
  const child = other.app.process()
  const before = performance.now()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(performance.now() - before).toBeLessThan(10_000)
  await other.close()
})
