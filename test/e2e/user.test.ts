import { readFileSync, readlinkSync } from 'node:fs'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect } from 'vitest'
import { getSystem } from '../../server/api/v1/system/system.ts'
import { it as base } from '../fixtures/window.ts'
import { appAsUser } from '../parts/engine/as-user.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'
import { look } from '../parts/window/look.ts'

const test = base
  // Where these tests are root's, the app runs for another user, with a keyring of that session.
  .extend('user', { scope: 'file' }, async ({}, { onCleanup }) => {
    if (process.getuid?.() !== 0) return null
    const user = await appAsUser(desktopProgram().path, process.env)
    onCleanup(async () => {
      await removeSandboxesOf(user.dataDir)
      user.remove()
    })
    return user
  })
  .extend('settings', { scope: 'file' }, null)
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, user }) =>
    user ? { env: process.env, ...user } : { env: keyring.env },
  )

test('for a normal user its pages run in the full sandbox of Chromium', async ({ desktop, user }) => {
  const pids = await desktop.app.evaluate(({ BrowserWindow }) => ({
    main: process.pid,
    page: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  }))
  expect(readFileSync(`/proc/${pids.main}/cmdline`, 'utf8')).not.toContain('no-sandbox')
  const page = status(pids.page)
  expect(Number(page.Uid?.split(/\s+/)[0])).toBe(user?.uid ?? process.getuid?.())
  expect(page).toMatchObject({ Seccomp: '2', NoNewPrivs: '1', CapEff: '0000000000000000' })
  expect(page.NSpid?.split(/\s+/).length).toBeGreaterThan(1)
  for (const kind of ['user', 'pid', 'net']) {
    expect(readlinkSync(`/proc/${pids.page}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/${pids.main}/ns/${kind}`))
  }
})

test('for a normal user the engine, the keyring and the demonstration work', async ({ desktop }) => {
  const { page, service } = desktop
  const system = await service.client.call(getSystem)
  expect(system).toMatchObject({ engine: { state: 'ready' }, keychain: { state: 'ready', storage: 'keychain' } })
  await look(desktop, 'user-first-run')
  await page.getByRole('button', { name: 'Watch the demonstration' }).click()
  await page.locator('header').getByRole('status').getByText('done', { exact: true }).waitFor()
  await look(desktop, 'user-demonstration')
})

test('the program cannot be turned into Node or made to load other code', async () => {
  const { version: _version, ...wire } = await getCurrentFuseWire(desktopProgram().path)
  expect(wire).toMatchObject({
    [FuseV1Options.RunAsNode]: FuseState.DISABLE,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: FuseState.DISABLE,
    [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
    [FuseV1Options.EnableCookieEncryption]: FuseState.ENABLE,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: FuseState.DISABLE,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: FuseState.DISABLE,
  })
})

function status(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  return Object.fromEntries(lines.map(line => line.split(/:\s*/, 2)))
}
