import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { it as base, expect } from 'vitest'
import { makeDeb } from '../../build/package/linux/deb.mjs'
import { removeSandboxesOfInstance } from '../parts/engine/containers.ts'
import { startEngineProxy } from '../parts/engine/proxy.ts'
import { EPOCH } from '../parts/updates/versions.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'
import { Debian } from './debian.ts'
import { openWindow } from './debian-window.ts'

const INSTANCE = '/home/ada/.local/share/Atelier/instance'

const test = base
  /** With the package, and with a way to the engine that leads through no network. */
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = await startEngineProxy(process.env.DOCKER_HOST ?? '')
    onCleanup(() => engine.close())
    const socket = new URL(engine.host).pathname
    // For the person of the Debian too.
    chmodSync(dirname(socket), 0o755)
    chmodSync(socket, 0o666)
    return dirname(socket)
  })
  .extend('debian', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const app = dirname(desktopProgram().path)
    const deb = await makeDeb({ app, version: '0.1.0', epoch: EPOCH, release: false }, folder)
    const debian = await Debian.boot(folder)
    onCleanup(async () => {
      const { stdout } = await debian.run(['cat', INSTANCE])
      await debian.shutDown()
      // Without a name it would be those of everybody.
      if (stdout.trim()) await removeSandboxesOfInstance(stdout.trim())
    })
    debian.start(['Xvfb', ':1', '-nolisten', 'tcp'])
    await debian.must(['dpkg', '--install', `/mnt/${deb.slice(folder.length + 1)}`])
    return debian
  })

test.beforeAll(({ debian: _ }) => {}, 300_000)

test('after the installation the demonstration runs without any network', async ({ debian }) => {
  const { page, quit, detach } = await openWindow(debian, { DOCKER_HOST: 'unix:///mnt/docker.sock' })
  try {
    await page.getByRole('button', { name: 'Watch the demonstration' }).click()
    const status = page.locator('header').getByRole('status')
    await status.getByText('working', { exact: true }).waitFor()
    await status.getByText('done', { exact: true }).waitFor({ timeout: 120_000 })
    const changes = page.getByRole('tabpanel', { name: /^Changes/ })
    await changes.getByRole('button', { name: /basket\.py/ }).waitFor()
    expect(await quit()).toBe(0)
  } finally {
    await detach()
  }
})
