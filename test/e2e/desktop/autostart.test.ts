import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../../fixtures/keyring.ts'
import { startPanel } from '../../parts/desktop/panel.ts'
import {
  type DesktopApp,
  desktopProgram,
  newDataDir,
  removeDataDir,
  startDesktopApp,
} from '../../parts/window/desktop-app.ts'
import { keepFailure } from '../../parts/window/look.ts'

const test = base
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  .extend('entry', { scope: 'file' }, ({ keyring }) => {
    return join(keyring.env.XDG_CONFIG_HOME ?? '', 'autostart', 'atelier.desktop')
  })
  // Each test starts the app anew.
  .extend('start', ({ keyring, dataDir, task }, { onCleanup }) => {
    const started: DesktopApp[] = []
    onCleanup(async () => {
      for (const desktop of started) {
        await keepFailure(desktop, task)
        await desktop.close()
      }
    })
    return async (...words: string[]) => {
      const { path, args } = desktopProgram()
      const desktop = await startDesktopApp({ env: keyring.env, dataDir, program: { path, args: [...args, ...words] } })
      started.push(desktop)
      return desktop
    }
  })

const isVisible = ({ app }: DesktopApp) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(each => each.isVisible()))

test('the app starts at log-in by choice alone, and takes its entry back', async ({ start, entry }) => {
  const { page } = await start()
  await page.getByRole('button', { name: 'Skip for now' }).click()
  expect(existsSync(entry)).toBe(false)
  await page.evaluate(() => location.assign('#/settings/desktop'))
  const choice = page.getByRole('switch', { name: 'Start when you log in' })
  await choice.click()
  await expect.poll(() => existsSync(entry)).toBe(true)
  const { path } = desktopProgram()
  expect(readFileSync(entry, 'utf8')).toContain(`Exec="${path}" --hidden\nTryExec=${path}\n`)
  await choice.click()
  await expect.poll(() => existsSync(entry)).toBe(false)
  await choice.click()
  await expect.poll(() => existsSync(entry)).toBe(true)
})

test('an entry that names another place names this one after a start', async ({ start, entry }) => {
  const right = readFileSync(entry, 'utf8')
  writeFileSync(entry, right.replaceAll(desktopProgram().path, '/gone/atelier'))
  await start()
  expect(readFileSync(entry, 'utf8')).toBe(right)
})

test('what another program has turned off stays off', async ({ start, entry }) => {
  const off = `${readFileSync(entry, 'utf8')}X-GNOME-Autostart-enabled=false\n`
  writeFileSync(entry, off)
  const { page } = await start()
  expect(await page.evaluate(async () => (await window.atelier?.background())?.startAtLogin)).toBe(false)
  expect(readFileSync(entry, 'utf8')).toBe(off)
})

test('a start at log-in shows no window, where a tray shows the app', async ({ start, keyring }) => {
  const panel = await startPanel(keyring.env.DBUS_SESSION_BUS_ADDRESS ?? '')
  try {
    const desktop = await start('--hidden')
    await expect.poll(panel.hasIcon).toBe(true)
    expect(await isVisible(desktop)).toEqual([false])
    await panel.choose('Open Atelier')
    await expect.poll(() => isVisible(desktop)).toEqual([true])
  } finally {
    panel.close()
  }
})

test('where no tray comes, the window opens', async ({ start }) => {
  const desktop = await start('--hidden')
  await expect.poll(() => isVisible(desktop), { timeout: 40_000 }).toEqual([true])
})
