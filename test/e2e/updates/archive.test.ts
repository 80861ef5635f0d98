import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { makeTar } from '../../../build/package/linux/tar.mjs'
import { listBackups } from '../../../server/store/backup/files.ts'
import { it as base } from '../../fixtures/keyring.ts'
import { smallDisk } from '../../parts/engine/small-disk.ts'
import { startFeedServer } from '../../parts/updates/feed-server.ts'
import { copyOfApp, EPOCH, newPublisher, publish, setVersion } from '../../parts/updates/versions.ts'
import {
  type DesktopApp,
  desktopProgram,
  newDataDir,
  removeDataDir,
  startDesktopApp,
} from '../../parts/window/desktop-app.ts'
import { keepFailure, look } from '../../parts/window/look.ts'

const OLD = '0.1.0'
const NEW = '0.1.1'
const LATEST = `latest-linux-${process.arch}.yml`

/** Two versions as archives, the older one unpacked, and a feed that has both. */
const test = base
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-updates-'))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('feed', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const server = await startFeedServer(join(folder, 'feed'))
    onCleanup(() => server.close())
    return server
  })
  .extend('publisher', { scope: 'file' }, () => newPublisher())
  .extend('program', { scope: 'file' }, async ({ folder, feed, publisher }) => {
    const published = join(folder, 'feed')
    const copy = copyOfApp(dirname(desktopProgram().path), { url: feed.url, publicKeys: [publisher.publicKey] })
    try {
      const make = (version: string) => makeTar({ app: copy.folder, version, epoch: EPOCH, release: false }, published)
      const old = await make(OLD)
      setVersion(copy.folder, OLD, NEW)
      const files = [await make(NEW)]
      await publish(
        published,
        [
          { version: OLD, files: [old] },
          { version: NEW, files },
        ],
        publisher,
      )
      mkdirSync(join(folder, 'installed'))
      execFileSync('tar', ['-xzf', old, '-C', join(folder, 'installed')])
    } finally {
      copy.remove()
    }
    const path = join(folder, 'installed', `atelier-${OLD}-linux-${process.arch}`, 'atelier')
    return { path, args: desktopProgram().args }
  })
  .extend('dataDir', { scope: 'file' }, ({}, { onCleanup }) => {
    const dataDir = newDataDir()
    onCleanup(() => removeDataDir(dataDir))
    return dataDir
  })
  .extend('disk', { scope: 'file' }, ({ dataDir }, { onCleanup }) => {
    // Room for the packages of two versions, and for no third.
    const disk = smallDisk(500, join(dataDir, 'updates'))
    onCleanup(() => disk.remove())
    return disk
  })
  .extend('open', { scope: 'file' }, ({ keyring, program, dataDir, disk: _ }, { onCleanup }) => {
    let opened: DesktopApp | undefined
    onCleanup(() => opened?.close())
    return async (): Promise<DesktopApp> => {
      opened = await startDesktopApp({ env: keyring.env, program, dataDir })
      const skip = opened.page.getByRole('button', { name: 'Skip for now' })
      if (await isFirstRun(opened.page)) await skip.click()
      await opened.page.getByRole('link', { name: 'Settings' }).click()
      await opened.page.getByRole('main').getByRole('link', { name: 'About and system' }).click()
      await updatesIn(opened.page).waitFor()
      return opened
    }
  })
  .extend('shown', { scope: 'file' }, () => ({ app: undefined as DesktopApp | undefined }))
  .extend('failure', { auto: true }, ({ shown, task }, { onCleanup }) => {
    onCleanup(() => keepFailure(shown.app, task))
    return null
  })

// Two versions are packaged here.
test.beforeAll(({ program: _ }) => {}, 600_000)

test('nothing is asked before the person agrees, and then nothing but the question', async ({ open, feed, shown }) => {
  shown.app = await open()
  const { page } = shown.app
  await page.getByText('May Atelier look for updates?').waitFor()
  await page.getByText('It was never checked whether there is a newer one.').waitFor()
  await look(shown.app, 'updates-question')
  expect(feed.requests).toEqual([])
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await release(page, `Version ${NEW} is available`).waitFor()
  await look(shown.app, 'updates-available')
  expect(feed.requests.map(({ path }) => path).sort()).toEqual([LATEST, `${LATEST}.sig`])
  for (const { headers } of feed.requests) {
    expect(headers).toEqual({
      host: new URL(feed.url).host,
      accept: '*/*',
      'user-agent': 'Atelier',
      connection: 'keep-alive',
    })
  }
  expect(await page.getByRole('region', { name: 'What is new' }).textContent()).toContain('<img src=x')
  expect(await page.getByRole('region', { name: 'What is new' }).locator('img, a').count()).toBe(0)
})

test('what is not signed by the makers is refused before anything is downloaded', async ({ feed, folder, shown }) => {
  const { page } = running(shown)
  const signed = readFileSync(join(folder, 'feed', LATEST), 'utf8')
  feed.replace(LATEST, signed.replace(`version: ${NEW}`, 'version: 9.9.9'))
  const before = feed.requests.length
  await page.getByRole('button', { name: 'Check now' }).click()
  await updatesIn(page).getByText('is not signed by the makers').waitFor()
  await look(running(shown), 'updates-bad-signature')
  feed.replace(LATEST, null)
  // The older version is signed too, under its own name.
  const old = `atelier-${OLD}-linux-${process.arch}.yml`
  for (const end of ['', '.sig'])
    feed.replace(`${LATEST}${end}`, readFileSync(join(folder, 'feed', `${old}${end}`), 'utf8'))
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect.poll(() => feed.requests.length).toBe(before + 4)
  await updatesIn(page).getByText('is not signed by the makers').waitFor()
  for (const end of ['', '.sig']) feed.replace(`${LATEST}${end}`, null)
  expect(feed.requests.slice(before).every(({ path }) => path.startsWith(LATEST))).toBe(true)
  await page.getByRole('button', { name: 'Check now' }).click()
  await release(page, `Version ${NEW} is available`).waitFor()
})

test('a download is cancelled, cut off or out of space, and leaves nothing', async ({ feed, dataDir, disk, shown }) => {
  const { page } = running(shown)
  const kept = () => readdirSync(join(dataDir, 'updates', NEW, 'pending'))
  const download = () => page.getByRole('button', { name: /^Download, / }).click()
  feed.stopAfter(8_000_000, 'hold')
  await download()
  await page.getByRole('progressbar', { name: `Downloading version ${NEW}` }).waitFor()
  await page.getByText(/^[4-8](\.\d)? MB of/).waitFor()
  await look(running(shown), 'updates-downloading')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await release(page, `Version ${NEW} is available`).waitFor()
  await expect.poll(kept).toEqual([])

  feed.stopAfter(8_000_000, 'cut')
  await download()
  await updatesIn(page).getByText('The connection broke before all of the package was there.').waitFor()
  await look(running(shown), 'updates-cut-off')
  expect(kept()).toEqual([])

  feed.stopAfter(8_000_000, 'hold')
  await download()
  await page.getByText(/^[4-8](\.\d)? MB of/).waitFor()
  disk.fill()
  feed.release()
  await updatesIn(page).getByText('The disk is full.').waitFor()
  expect(kept()).toEqual([])
  disk.free()
})

test('a package that is not what was signed is not kept', async ({ feed, dataDir, folder, shown }) => {
  const { page } = running(shown)
  const name = `atelier-${NEW}-linux-${process.arch}.tar.gz`
  feed.replace(name, 'x')
  await page.getByRole('button', { name: /^Download, / }).click()
  await updatesIn(page).getByText('The connection broke').waitFor()
  feed.replace(name, 'x'.repeat(readFileSync(join(folder, 'feed', name)).length))
  await page.getByRole('button', { name: /^Download, / }).click()
  await updatesIn(page).getByText('The package is not the one that the makers signed.').waitFor()
  expect(readdirSync(join(dataDir, 'updates', NEW, 'pending'))).toEqual([])
  feed.replace(name, null)
})

test('a downloaded update is installed when the person quits, after a backup', async ({ open, dataDir, shown }) => {
  const { page, endedBy } = running(shown)
  await page.getByRole('button', { name: /^Download, / }).click()
  await release(page, `Version ${NEW} is downloaded and verified`).waitFor()
  await look(running(shown), 'updates-ready')
  const ended = await endedBy(() => page.evaluate(() => window.atelier?.quit()))
  expect({ ended, installing: installingIn(dataDir) }).toEqual({
    ended: [0, null],
    installing: expect.objectContaining({ problem: null }),
  })
  expect(listBackups(join(dataDir, 'backups')).filter(({ kind }) => kind === 'update')).toHaveLength(1)
  shown.app = await open()
  await updatesIn(shown.app.page).getByText(`Version ${NEW}. Nothing newer was known`).waitFor()
  await shown.app.page.getByText('Go back to 0.1.0').waitFor()
  await look(shown.app, 'updates-go-back')
})

test('the version before is gone back to, and its own feed does not push it forward unasked', async ({
  open,
  program,
  dataDir,
  shown,
}) => {
  const { page, endedBy } = running(shown)
  await page.getByRole('button', { name: `Go back to ${OLD}` }).click()
  await release(page, `Version ${OLD}, which ran before, is downloaded and verified`).waitFor()
  await look(running(shown), 'updates-going-back')
  const ended = await endedBy(() => page.evaluate(() => window.atelier?.quit()))
  expect({ ended, installing: installingIn(dataDir) }).toEqual({
    ended: [0, null],
    installing: expect.objectContaining({ problem: null }),
  })
  shown.app = await open()
  await updatesIn(shown.app.page).getByText(`Version ${OLD}.`).waitFor()
  await shown.app.page.getByText(`Go back to ${NEW}`).waitFor()
  // Electron takes app.asar for a folder, which has to be removed all the same.
  await expect.poll(() => readdirSync(dirname(dirname(program.path))), { timeout: 60_000 }).toHaveLength(1)
  expect(listBackups(join(dataDir, 'backups')).filter(({ kind }) => kind === 'update')).toHaveLength(2)
})

function running(shown: { app: DesktopApp | undefined }): DesktopApp {
  if (!shown.app) throw new Error('The app was not started.')
  return shown.app
}

/** What the app remembers of what it was about to install. */
function installingIn(dataDir: string): unknown {
  return JSON.parse(readFileSync(join(dataDir, 'updates', 'record.json'), 'utf8')).installing
}

function updatesIn(page: Page) {
  return page.getByRole('region', { name: 'Updates' })
}

function release(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true })
}

async function isFirstRun(page: Page): Promise<boolean> {
  const skip = page.getByRole('button', { name: 'Skip for now' })
  await skip
    .or(page.getByRole('link', { name: 'Settings' }))
    .first()
    .waitFor()
  return skip.isVisible()
}
