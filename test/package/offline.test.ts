import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it as base, expect } from 'vitest'
import { requestEngine } from '../../build/engine/ping.mjs'
import { makeDeb } from '../../build/package/linux/deb.mjs'
import { OwnEngine } from '../parts/engine/own-engine.ts'
import { startEngineProxy } from '../parts/engine/proxy.ts'
import { EPOCH } from '../parts/updates/versions.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'
import { Debian } from './debian.ts'
import { openWindow } from './debian-window.ts'

/** What the package says of the image that it brings. */
const BUNDLED = '/opt/Atelier/resources/sandbox-image.json'

const test = base
  /** New and empty, on a network that is nothing but its own loopback and its bridge. */
  .extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = new OwnEngine({
      folder: mkdtempSync(join(tmpdir(), 'atelier-offline-engine-')),
      hasOwnNetwork: true,
    })
    onCleanup(() => engine.close())
    await engine.start()
    return engine
  })
  /** With the package, and with a way to the engine that leads through no network. */
  .extend('folder', { scope: 'file' }, async ({ engine }, { onCleanup }) => {
    const proxy = await startEngineProxy(engine.host)
    onCleanup(() => proxy.close())
    const socket = new URL(proxy.host).pathname
    // For the person of the Debian too.
    chmodSync(dirname(socket), 0o755)
    chmodSync(socket, 0o666)
    return dirname(socket)
  })
  .extend('debian', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const app = dirname(desktopProgram().path)
    const deb = await makeDeb({ app, version: '0.1.0', epoch: EPOCH, release: false }, folder)
    const debian = await Debian.boot(folder)
    onCleanup(() => debian.shutDown())
    debian.start(['Xvfb', ':1', '-nolisten', 'tcp'])
    await debian.must(['dpkg', '--install', `/mnt/${deb.slice(folder.length + 1)}`])
    return debian
  })

test.beforeAll(({ debian: _ }) => {}, 300_000)

test('after the installation the demonstration runs on an empty engine without any network', async ({
  engine,
  debian,
}) => {
  expect((await ask(engine, 'POST', '/images/create?fromImage=192.0.2.1/sandbox&tag=latest')).text).toContain(
    'network is unreachable',
  )
  expect(await images(engine)).toEqual([])
  const { page, quit, detach } = await openWindow(debian, { DOCKER_HOST: 'unix:///mnt/docker.sock' })
  try {
    await page.getByRole('button', { name: 'Watch the demonstration' }).click()
    const status = page.locator('header').getByRole('status')
    await status.getByText('working', { exact: true }).waitFor()
    await status.getByText('done', { exact: true }).waitFor({ timeout: 120_000 })
    const changes = page.getByRole('tabpanel', { name: /^Changes/ })
    await changes.getByRole('button', { name: /basket\.py/ }).waitFor()
    const { reference } = JSON.parse(await debian.must(['cat', BUNDLED]))
    expect(await images(engine)).toEqual([reference])
    expect(await quit()).toBe(0)
  } finally {
    await detach()
  }
})

/** The names of all that it has. */
async function images(engine: OwnEngine): Promise<string[]> {
  const { status, text } = await ask(engine, 'GET', '/images/json?all=1')
  expect(status).toBe(200)
  return JSON.parse(text).flatMap(({ Id, RepoTags }: { Id: string; RepoTags: string[] | null }) => RepoTags ?? Id)
}

async function ask({ host }: OwnEngine, method: string, path: string): Promise<{ status: number; text: string }> {
  const answer = await requestEngine(host, { method, path })
  let text = ''
  for await (const chunk of answer) text += chunk
  return { status: answer.statusCode ?? 0, text }
}
