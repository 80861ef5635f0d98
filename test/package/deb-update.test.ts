import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it as base, expect } from 'vitest'
import { makeDeb } from '../../build/package/linux/deb.mjs'
import { copyOfApp, EPOCH, newPublisher, publish, setVersion } from '../parts/updates/versions.ts'
import { desktopProgram } from '../parts/window/desktop-app.ts'
import { Debian } from './debian.ts'
import { type DebianWindow, openWindow } from './debian-window.ts'

const OLD = '0.1.0'
const NEW = '0.1.1'
/** Of the Debian's own loopback. */
const FEED_PORT = 8080
const RECORD = '/home/ada/.local/share/Atelier/updates/record.json'

/** As if the person gave the password when the desktop asks for it, which needs a desktop. */
const GRANT = `polkit.addRule(function (action, subject) {
  if (action.id === 'org.freedesktop.policykit.exec' && subject.user === 'ada') return polkit.Result.YES
})`

const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-deb-updates-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    return folder
  })
  /** The older package, of which a feed has the newer one too. */
  .extend('oldDeb', { scope: 'file' }, async ({ folder }) => {
    const publisher = newPublisher()
    const feed = { url: `http://127.0.0.1:${FEED_PORT}/`, publicKeys: [publisher.publicKey] }
    const copy = copyOfApp(dirname(desktopProgram().path), feed)
    try {
      const make = (version: string) => makeDeb({ app: copy.folder, version, epoch: EPOCH, release: false }, folder)
      const old = await make(OLD)
      setVersion(copy.folder, OLD, NEW)
      const versions = [
        { version: OLD, files: [old] },
        { version: NEW, files: [await make(NEW)] },
      ]
      await publish(folder, versions, publisher)
      return `/mnt/${old.slice(folder.length + 1)}`
    } finally {
      copy.remove()
    }
  })
  .extend('debian', { scope: 'file' }, async ({ folder, oldDeb }, { onCleanup }) => {
    const debian = await Debian.boot(folder)
    onCleanup(() => debian.shutDown())
    debian.start(['Xvfb', ':1', '-nolisten', 'tcp'])
    await debian.must(['install', '--directory', '/run/dbus'])
    await debian.must(['dbus-daemon', '--system', '--fork'])
    await debian.must(['dpkg', '--install', oldDeb])
    return debian
  })
  .extend('feed', { scope: 'file' }, ({ debian, folder }, { onCleanup }) => {
    const serve = ['busybox', 'httpd', '-f', '-p', `127.0.0.1:${FEED_PORT}`, '-h', folder]
    const [program = '', ...args] = debian.onItsNetwork(serve)
    const server = spawn(program, args, { stdio: 'inherit' })
    onCleanup(() => void server.kill())
    return server
  })
  .extend('open', { scope: 'file' }, ({ debian, feed: _ }, { onCleanup }) => {
    let last: DebianWindow | undefined
    onCleanup(() => last?.detach())
    return async (): Promise<DebianWindow> => {
      last = await openWindow(debian)
      const { page } = last
      const settings = page.getByRole('link', { name: 'Settings' })
      const skip = page.getByRole('button', { name: 'Skip for now' })
      await skip.or(settings).first().waitFor()
      if (await skip.isVisible()) await skip.click()
      await settings.click()
      await page.getByRole('main').getByRole('link', { name: 'About and system' }).click()
      return last
    }
  })

// Two packages are made here.
test.beforeAll(({ debian: _ }) => {}, 600_000)

test('where nobody may become root nothing is installed, and the next start says why', async ({ debian, open }) => {
  const { page, quit } = await open()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByRole('button', { name: /^Download, / }).click()
  await page.getByRole('region', { name: `Version ${NEW} is downloaded and verified` }).waitFor()
  expect(await quit()).toBe(0)
  expect(await installed(debian)).toBe(OLD)
  expect(JSON.parse(await debian.must(['cat', RECORD]))).toMatchObject({
    installing: { version: NEW, problem: { code: 'not_permitted' } },
  })
})

test('a downloaded package is installed when the person quits and gives the password', async ({ debian, open }) => {
  const { page, quit } = await open()
  await page.getByText('The system did not permit the installation').waitFor()
  await debian.must(['sh', '-c', 'printf %s "$1" >/etc/polkit-1/rules.d/10-test.rules', 'sh', GRANT])
  expect(await debian.atelier(['settings', 'set', 'max_iterations', '77'])).toMatchObject({ code: 0 })
  await page.getByRole('button', { name: /^Download, / }).click()
  await page.getByRole('region', { name: `Version ${NEW} is downloaded and verified` }).waitFor()
  expect(await quit()).toBe(0)
  expect(await installed(debian)).toBe(NEW)
  expect(await debian.must(['dpkg', '--verify', 'atelier'])).toBe('')
  expect(await debian.must(['find', '/var/tmp', '-name', 'atelier-update*'])).toBe('')
})

test('the new version has what the person has, and the one before is gone back to', async ({ debian, open }) => {
  const { page, quit } = await open()
  await page.getByText(`Version ${NEW}. Nothing newer was known`).waitFor()
  expect(await debian.atelier(['settings', 'get', 'max_iterations'])).toMatchObject({ code: 0, stdout: '77\n' })
  await page.getByRole('button', { name: `Go back to ${OLD}` }).click()
  await page.getByRole('region', { name: `Version ${OLD}, which ran before, is downloaded and verified` }).waitFor()
  expect(await quit()).toBe(0)
  expect(await installed(debian)).toBe(OLD)
})

test('a package that was changed after its download is not installed', async ({ debian, open }) => {
  const { page, quit } = await open()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByRole('button', { name: /^Download, / }).click()
  await page.getByRole('region', { name: `Version ${NEW} is downloaded and verified` }).waitFor()
  const kept = (await debian.must(['find', '/home/ada', '-name', '*.deb', '-path', `*/${NEW}/*`])).trim()
  expect(kept).toMatch(/\.deb$/)
  await debian.must(['sh', '-c', 'echo changed >>"$1"', 'sh', kept])
  expect(await quit()).toBe(0)
  expect(await installed(debian)).toBe(OLD)
  expect(JSON.parse(await debian.must(['cat', RECORD]))).toMatchObject({
    installing: {
      problem: { code: 'not_installed', detail: expect.stringContaining('was changed after its download') },
    },
  })
})

function installed(debian: Debian): Promise<string> {
  return debian.must(['dpkg-query', '--show', '--showformat=${Version}', 'atelier'])
}
