import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserWindow } from 'electron'
import type { JSHandle } from 'playwright'
import { expect, type RunnerTask } from 'vitest'
import { projectFolder } from '../project-folder.ts'
import type { DesktopApp } from './desktop-app.ts'
import { unseenInForcedColours } from './forced-colors.ts'
import { unreachableAtDoubleSize } from './zoom.ts'

const FOLDER = join(projectFolder, 'artifacts/screenshots')
const WIDE = { width: 1280, height: 840 }
const NARROW = { width: 640, height: 760 }

/** A run takes minutes longer with them. */
const KEEPS_PICTURES = process.env.ATELIER_PICTURES === '1'

type Shown = Pick<DesktopApp, 'app' | 'page'>

/**
 * Looks at the page as it stands: in light and in dark, each without a serious barrier; in the colours of the system, where nothing
 * is shown by a ground alone; and at 200 %, where nothing is out of reach or scrolls sideways. With `ATELIER_PICTURES=1` pictures of
 * them are kept for people.
 * @param narrow false where a narrow window would not show the same any more
 */
export async function look(shown: Shown, name: string, { narrow = true } = {}): Promise<void> {
  const { page } = shown
  const barriers: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await keepPicture(page, `${name}-${colorScheme}`)
    // In the dark nothing but the colours is another.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined
    barriers.push(...(await seriousBarriers(shown, rules)).map(barrier => `${colorScheme}: ${barrier}`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const unseen = await unseenInForcedColours(page)
  await keepPicture(page, `${name}-forced`)
  await page.emulateMedia({ forcedColors: 'none' })
  const unreachable = narrow
    ? await unreachableAtDoubleSize(shown, window => keepWholePicture(window, `${name}-double`))
    : []
  if (narrow && KEEPS_PICTURES) await keepNarrowPicture(shown, name)
  expect({ page: name, barriers, unseen, unreachable }).toEqual({
    page: name,
    barriers: [],
    unseen: [],
    unreachable: [],
  })
}

async function keepNarrowPicture(shown: Shown, name: string): Promise<void> {
  await resize(shown, NARROW)
  await keepPicture(shown.page, `${name}-narrow`)
  await resize(shown, WIDE)
}

/** With `ATELIER_PICTURES=1`. */
export async function keepPicture(page: DesktopApp['page'], name: string): Promise<void> {
  if (!KEEPS_PICTURES) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}

/** Playwright takes that of a page at 200 % in part only. */
async function keepWholePicture(window: JSHandle<BrowserWindow>, name: string): Promise<void> {
  if (!KEEPS_PICTURES) return
  const taken = await window.evaluate(async ({ webContents }) =>
    (await webContents.capturePage()).toPNG().toString('base64'),
  )
  writeFileSync(join(FOLDER, `${name}.png`), taken, 'base64')
}

/** For `afterEach`: what stood in the window when a test failed, as a picture and as text. */
export async function keepFailure(shown: Pick<Shown, 'page'> | undefined, task: Readonly<RunnerTask>): Promise<void> {
  if (task.result?.state !== 'fail' || !shown || shown.page.isClosed()) return
  mkdirSync(FOLDER, { recursive: true })
  const file = join(FOLDER, `failed ${task.name.replace(/[^\w ]/g, '').slice(0, 80)}`)
  await shown.page.screenshot({ path: `${file}.png` })
  const text = await shown.page.locator('body').ariaSnapshot()
  writeFileSync(`${file}.txt`, text)
  for (const error of task.result.errors ?? []) error.message += `\n\nIn the window:\n${text}`
}

export async function resize({ app, page }: Shown, size: { width: number; height: number }): Promise<void> {
  await app.evaluate(({ BrowserWindow }, wanted) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(wanted.width, wanted.height)
  }, size)
  await expect
    .poll(() => page.evaluate(() => ({ width: innerWidth, height: innerHeight })), { timeout: 5_000 })
    .toEqual(size)
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** What axe calls serious or critical. Its newer mode opens a page of its own, which the app refuses. */
async function seriousBarriers({ page }: Shown, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page, ...((await hasAxe(page)) && { axeSource: 'void 0' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`))
}

/** Half a megabyte of code, which a page that is not loaded anew goes on to have. */
function hasAxe(page: DesktopApp['page']): Promise<boolean> {
  return page.evaluate(() => 'axe' in window)
}
