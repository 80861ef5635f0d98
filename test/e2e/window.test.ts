import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../fixtures/keyring.ts'
import { type DesktopApp, newDataDir, removeDataDir, startDesktopApp } from '../parts/window/desktop-app.ts'
import { keepFailure, look } from '../parts/window/look.ts'

const test = base
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  // Some tests end the app and start it again.
  .extend('running', { scope: 'file' }, async ({ keyring, dataDir }, { onCleanup }) => {
    const running = { desktop: await startDesktopApp({ env: keyring.env, dataDir }) }
    onCleanup(() => running.desktop.close())
    return running
  })
  .extend('desktop', ({ running }) => running.desktop)

test.afterEach(({ running, task }) => keepFailure(running.desktop, task))

const boundsOf = ({ app }: DesktopApp) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())

test('the window comes back where it was and as large', async ({ running, dataDir, keyring }) => {
  const place = { x: 60, y: 40, width: 900, height: 700 }
  const { app } = running.desktop
  await app.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), place)
  await expect.poll(() => existsSync(join(dataDir, 'window', 'place.json'))).toBe(true)
  await running.desktop.close()
  running.desktop = await startDesktopApp({ env: keyring.env, dataDir })
  expect(await boundsOf(running.desktop)).toEqual(place)
})

test("it follows the system's light and dark while it is open", async ({ desktop }) => {
  const ground = () => desktop.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const seen: string[] = []
  for (const scheme of ['light', 'dark', 'light'] as const) {
    await desktop.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, scheme)
    const dark = scheme === 'dark'
    await expect.poll(() => desktop.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(dark)
    seen.push(await ground())
  }
  expect(seen[0]).toBe(seen[2])
  expect(seen[0]).not.toBe(seen[1])
})

test('a page that crashes is loaded again, and the service goes on', async ({ desktop }) => {
  const { app, page } = desktop
  const crashed = page.waitForEvent('crash')
  await app.evaluate(({ BrowserWindow, dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer()
  })
  await crashed
  const title = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.querySelector("h1")?.textContent'),
    )
  await expect.poll(title).toBe('Atelier')
  expect(await (await fetch(`${desktop.service.url}/alive`)).json()).toEqual({ status: 'ok' })
})

test('until the service answers the window says that it starts', async ({ running, keyring, dataDir }) => {
  await running.desktop.close()
  running.desktop = await startDesktopApp({ env: keyring.env, dataDir })
  const { page } = running.desktop
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/api/v1/system', async route => {
    await answered
    await route.continue()
  })
  await page.reload()
  await page.getByText('Starting the service…').waitFor()
  await look(running.desktop, 'opening')
  answer()
  await page.getByRole('heading', { name: 'Atelier' }).waitFor()
})

test('a service that cannot be reached is told, with a way to try again', async ({ desktop }) => {
  const { page } = desktop
  await page.unroute('**/api/v1/system')
  await page.route('**/api/v1/system', route => route.abort())
  await page.reload()
  await page.getByRole('heading', { name: 'Atelier could not reach its service' }).waitFor()
  await look(desktop, 'cannot-open')
  await page.unroute('**/api/v1/system')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Engine' }).waitFor()
})
