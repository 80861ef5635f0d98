import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { it as base } from '../fixtures/window.ts'

const it = base
  .extend('settings', { scope: 'file' }, null)
  /** A browser of its own, beside the app's window: without its bridge and without its key. */
  .extend('page', { scope: 'file' }, async ({ desktop }) => {
    const opened = desktop.app.waitForEvent('window')
    await desktop.app.evaluate(({ BrowserWindow }) => {
      new BrowserWindow({ width: 1280, height: 840, webPreferences: { partition: 'docs', sandbox: true } }).loadURL(
        'about:blank',
      )
    })
    const page = await opened
    page.setDefaultTimeout(30_000)
    return page
  })
  /** Anew, so that nothing stays of what was typed before. */
  .extend('open', { scope: 'file' }, ({ desktop, page }) => async (place = ''): Promise<void> => {
    await page.goto('about:blank')
    await page.goto(`${desktop.service.url}/docs${place}`)
  })
  .extend('tryIt', { scope: 'file' }, ({ page }) => async (): Promise<void> => {
    await page
      .getByRole('button', { name: /Test Request.*\/api\/v1\/system\)/i })
      .first()
      .click()
    await page.getByRole('button', { name: /^Send get request/ }).click()
  })
  .extend('status', { scope: 'file' }, ({ page }) => (text: string) => {
    return page.getByRole('region', { name: 'Response' }).getByRole('link', { name: text })
  })

const SCREENSHOTS = join(import.meta.dirname, '..', '..', 'artifacts', 'screenshots')
const BROWSER_CLIENT = join(import.meta.dirname, '..', '..', 'out', 'client', 'browser.js')
const SYSTEM = '#http/tag/system/GET/api/v1/system'

const refused: string[] = []
const foreign: string[] = []

it.beforeAll(async ({ page }) => {
  page.on('request', request => {
    if (/^(https?|wss?):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') {
      foreign.push(request.url())
    }
  })
  await page.exposeFunction('reportRefusal', (what: string) => refused.push(what))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', event => {
      Reflect.get(globalThis, 'reportRefusal')(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
})

describe('the page of the documentation', () => {
  it('tries an operation with a pasted key, and is told where the key is wrong', async ({
    open,
    page,
    desktop,
    tryIt,
    status,
  }) => {
    await open()
    await page.getByRole('textbox', { name: 'Value' }).first().fill('wrong')
    await page.goto(`${desktop.service.url}/docs${SYSTEM}`)
    await tryIt()
    await status('401').waitFor()
    await open()
    await page.getByRole('textbox', { name: 'Value' }).first().fill(desktop.service.key)
    await page.goto(`${desktop.service.url}/docs${SYSTEM}`)
    await tryIt()
    await status('200').waitFor()
  })

  it('keeps a pasted key nowhere', async ({ page, desktop }) => {
    const kept = await page.evaluate(async () => ({
      local: JSON.stringify(localStorage),
      session: JSON.stringify(sessionStorage),
      databases: await indexedDB.databases(),
    }))
    expect(JSON.stringify(kept)).not.toContain(desktop.service.key)
    expect(kept.databases).toEqual([])
  })

  it('tries an operation with the key of a login, without anything pasted', async ({
    open,
    page,
    desktop,
    tryIt,
    status,
  }) => {
    await open()
    await page.evaluate(key => sessionStorage.setItem('atelier.session-key', key), desktop.service.key)
    await open(SYSTEM)
    await tryIt()
    await status('200').waitFor()
  })

  it('shows each request for curl, TypeScript and Python, with its example', async ({ open, page }) => {
    await open(SYSTEM)
    const operation = page.getByRole('region', { name: 'State of engine, image and keychain' }).first()
    await operation.getByText('--header').first().waitFor()
    await operation.getByRole('button', { name: /Shell Curl/ }).click()
    for (const name of ['Curl', 'Fetch', 'Requests']) {
      await page.getByRole('option', { name, exact: false }).first().waitFor()
    }
    await page.keyboard.press('Escape')
  })

  it('finds an operation by its words', async ({ open, page }) => {
    await open()
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('combobox')).first().fill('pause sandbox')
    await page
      .getByRole('option', { name: /Pause a sandbox/ })
      .first()
      .waitFor()
  })

  it('has the sockets too', async ({ open, page }) => {
    await open('#sockets')
    await page.getByRole('heading', { name: 'Atelier sockets' }).waitFor()
    await page.getByText('/sockets/events/{conversation_id}').first().waitFor()
  })

  it('loads nothing from elsewhere, and asks for nothing that its policy forbids', () => {
    expect({ foreign, refused }).toEqual({ foreign: [], refused: [] })
  })

  it('can be read in light and dark, wide and narrow', async ({ open, page }) => {
    mkdirSync(SCREENSHOTS, { recursive: true })
    await open(SYSTEM)
    await page.getByRole('heading', { name: 'State of engine, image and keychain' }).first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
      await page.screenshot({ path: join(SCREENSHOTS, `api-docs-${colorScheme}.png`) })
    }
    await page.setViewportSize({ width: 420, height: 760 })
    await page.screenshot({ path: join(SCREENSHOTS, 'api-docs-narrow.png') })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

it('the file for browsers works in a page of a strict policy', async ({ page, open, desktop }) => {
  await page.route('**/browser-client.js', route =>
    route.fulfill({ path: BROWSER_CLIENT, contentType: 'text/javascript' }),
  )
  await open()
  const { url, key } = desktop.service
  // As text: the test's own transformation has another import.
  const seen = await page.evaluate(`(async ({ url, key }) => {
    const { Atelier, ApiError, routes } = await import('/browser-client.js')
    const system = await new Atelier({ url, key }).call(routes.getSystem)
    const refusal = await new Atelier({ url, key: 'wrong' }).call(routes.getSystem).catch(error => error)
    return { version: system.version, code: refusal instanceof ApiError && refusal.code }
  })(${JSON.stringify({ url, key })})`)
  expect(seen).toEqual({ version: expect.stringMatching(/^\d+\.\d+/), code: 'unauthorized' })
  expect(refused).toEqual([])
})
