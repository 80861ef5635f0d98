import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { projectFolder } from '../parts/project-folder.ts'
import { type Development, startDevelopment } from '../parts/window/development.ts'
import { keepFailure } from '../parts/window/look.ts'

const LAUNCHER = 'renderer/pages/launcher/LauncherPage.tsx'
const APP = 'server/http/core/app.ts'
const QUESTION = 'What should the agent do?'
const START_MS = 180_000

/** A header of every reply says which code answers. */
const marked = (mark: string) =>
  [
    "app.disable('x-powered-by')",
    `app.disable('x-powered-by').use((_q, r, next) => next(void r.setHeader('x-mark', '${mark}')))`,
  ] as const

describe('the window', () => {
  let development: Development
  let browser: Browser
  let page: Page
  let url: string

  beforeAll(async () => {
    development = await startDevelopment(['--remote-debugging-port=0'])
    url = (await development.said(/The service is at (\S+)/))[1] ?? ''
    const [, port] = await development.said(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/)
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    page = await firstPage(browser)
    // What a page did before Playwright attached to it, Playwright may have missed.
    await page.reload()
    await page.getByRole('heading', { name: QUESTION }).waitFor({ timeout: 60_000 })
  }, START_MS)
  afterEach(async ({ task }) => {
    await keepFailure(page && { page }, task)
    // "The terminal shows why."
    if (task.result?.state === 'fail') console.error(development?.output().slice(-5_000))
  })
  afterAll(async () => {
    await browser?.close()
    expect(await development?.close()).toBe(0)
  })

  test('an edited component is shown in the page as it stands', async () => {
    await page.evaluate(() => Object.assign(window, { kept: 'as it was' }))
    const started = performance.now()
    development.edit(LAUNCHER, "{t('title')}", 'What comes next?')
    await page.getByRole('heading', { name: 'What comes next?' }).waitFor()
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(await page.evaluate(() => Reflect.get(window, 'kept'))).toBe('as it was')
  })

  test('an edited service answers at the same address, and the page goes on with it', async () => {
    development.edit(APP, ...marked('one'))
    await expect.poll(() => markOf(url), { timeout: 20_000, interval: 50 }).toBe('one')
    expect(await page.evaluate(() => Reflect.get(window, 'kept'))).toBe('as it was')
    const connection = await page.evaluate(() => window.atelier?.connection())
    expect(connection).toMatchObject({ url, key: development.key })
  })

  test('a service that cannot be bundled leaves the one that runs, until it can be', async () => {
    const from = development.output().length
    development.edit(APP, "'one'", "'one")
    await development.said(/✗ The service could not be bundled/, from)
    expect(await markOf(url)).toBe('one')
    development.edit(APP, "'one", "'two'")
    await expect.poll(() => markOf(url), { timeout: 20_000, interval: 50 }).toBe('two')
  })

  test('the page is held to the policy of the built app', async () => {
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'window.injected = true'
      document.body.append(script)
      setTimeout('window.injected = true' as never) // text as code, where types would not let it
      await new Promise(resolve => setTimeout(resolve, 50))
      return 'injected' in window
    })
    expect(ran).toBe(false)
    expect(
      await page.evaluate(() =>
        fetch('https://example.com/').then(
          () => 'reached',
          () => 'refused',
        ),
      ),
    ).toBe('refused')
  })

  test('a model is ready without a key, and does what it is told', async () => {
    await page.getByRole('button', { name: /openai\/scripted/ }).waitFor()
    await page.getByRole('textbox', { name: 'What should the agent do' }).fill('Please run `git --version`')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('The command has ended').first().waitFor({ timeout: 60_000 })
    await page
      .getByText(/exit 0 · /)
      .first()
      .waitFor()
  })
})

test(
  'the service alone is started anew when its code changes',
  async () => {
    const development = await startDevelopment(['--headless'])
    try {
      await development.said(/The service is at (\S+)/)
      const from = development.output().length
      development.edit(APP, ...marked('alone'))
      const [, url = ''] = await development.said(/The service is at (\S+)/, from)
      expect(await markOf(url)).toBe('alone')
    } finally {
      expect(await development.close()).toBe(0)
    }
  },
  START_MS,
)

test('nothing of it is in what is packaged', () => {
  const files = ['electron', 'chunks', 'server'].flatMap(folder => {
    const path = join(projectFolder, 'out', folder)
    return readdirSync(path)
      .filter(name => /\.c?js$/.test(name))
      .map(name => join(path, name))
  })
  expect(files.length).toBeGreaterThan(3)
  const found = files.filter(file => /ATELIER_DEV_|npm run dev/.test(readFileSync(file, 'utf8')))
  expect(found).toEqual([])
})

async function firstPage(browser: Browser): Promise<Page> {
  const page = await vi.waitUntil(() => browser.contexts().flatMap(context => context.pages())[0], { timeout: 20_000 })
  page.setDefaultTimeout(20_000)
  return page
}

/** Null while nobody answers. */
async function markOf(url: string): Promise<string | null> {
  const reply = await fetch(`${url}/health`).catch(() => undefined)
  return reply?.headers.get('x-mark') ?? null
}
