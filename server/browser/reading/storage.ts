import { z } from 'zod'
import { timeLimit } from '../../async/time-limit.ts'
import type { Browser } from '../browser.ts'
import { BrowserProblem } from '../problem.ts'
import * as protocol from '../protocol.ts'
import type { Tab } from '../tab.ts'

const MAX_ORIGINS = 20

const entries = z.array(z.object({ name: z.string(), value: z.string() }))

/** The format in which browser tools write the state of a session down. */
export const storageState = z.object({
  cookies: z
    .array(
      protocol.cookie
        .partial({ domain: true, path: true, expires: true, httpOnly: true, secure: true })
        .extend({ url: z.string().optional() }),
    )
    .default([]),
  origins: z
    .array(z.object({ origin: z.string(), localStorage: entries.default([]), sessionStorage: entries.default([]) }))
    .max(MAX_ORIGINS)
    .default([]),
})
export type StorageState = z.output<typeof storageState>

/** Cookies of all sites, and what the pages that are open store. */
export async function readStorage(browser: Browser, signal: AbortSignal): Promise<StorageState> {
  const cookies = protocol.cookies.parse(await browser.connection.send('Storage.getCookies', {}, { signal })).cookies
  const origins = new Map<string, StorageState['origins'][number]>()
  for (const tab of browser.tabs.filter(({ crashed }) => !crashed)) {
    const origin = originOf(tab.url)
    if (origin === null || origins.has(origin) || origins.size >= MAX_ORIGINS) continue
    const [localStorage, sessionStorage] = await Promise.all([items(tab, true, signal), items(tab, false, signal)])
    origins.set(origin, { origin, localStorage, sessionStorage })
  }
  return { cookies, origins: [...origins.values()] }
}

/** Adds to what is there. @throws BrowserProblem for an origin or a cookie that the browser does not take */
export async function writeStorage(browser: Browser, state: StorageState, signal: AbortSignal): Promise<void> {
  if (state.cookies.length > 0) await setCookies(browser, state.cookies, signal)
  if (state.origins.length === 0) return
  const before = browser.current
  for (const origin of state.origins) {
    const open = browser.tabs.find(({ url, crashed }) => !crashed && originOf(url) === origin.origin)
    if (!open || !(await setInPage(open, origin, signal))) await setInEmptyPage(browser, origin, signal)
  }
  await browser.switchTo(before, signal)
}

async function setCookies(browser: Browser, cookies: StorageState['cookies'], signal: AbortSignal): Promise<void> {
  const url = originOf(browser.current.url)
  const complete = cookies.map(({ expires, ...cookie }) => ({
    ...cookie,
    // Without an end it lasts as long as the browser.
    ...(expires !== undefined && expires >= 0 && { expires }),
    ...(cookie.domain === undefined && cookie.url === undefined && url !== null && { url }),
  }))
  try {
    await browser.connection.send('Storage.setCookies', { cookies: complete }, { signal })
  } catch {
    signal.throwIfAborted()
    throw new BrowserProblem('The browser did not take the cookies. Each needs name, value and a domain or a url.')
  }
}

/** @returns false when the page may not store anything, as one that stands for a failure */
async function setInPage(tab: Tab, origin: StorageState['origins'][number], signal: AbortSignal): Promise<boolean> {
  try {
    await setItems(tab, origin, signal)
    return true
  } catch (error) {
    if (error instanceof BrowserProblem) return false
    throw error
  }
}

/** A page of that origin without asking its server: the browser is given an empty one instead. */
async function setInEmptyPage(
  browser: Browser,
  origin: StorageState['origins'][number],
  signal: AbortSignal,
): Promise<void> {
  if (originOf(origin.origin) !== origin.origin) {
    throw new BrowserProblem(`${JSON.stringify(origin.origin)} is no origin, such as https://example.org.`)
  }
  const tab = await browser.openTab(signal)
  try {
    await tab.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, { signal })
    await tab.send('Page.navigate', { url: `${origin.origin}/` }, { signal })
    await tab.activity.settled(signal, { acted: true })
    await setItems(tab, origin, signal)
  } finally {
    await browser.closeTab(tab, timeLimit(5_000))
  }
}

async function setItems(tab: Tab, origin: StorageState['origins'][number], signal: AbortSignal): Promise<void> {
  await write(tab, true, origin.localStorage, signal)
  await write(tab, false, origin.sessionStorage, signal)
}

async function write(
  tab: Tab,
  isLocal: boolean,
  values: StorageState['origins'][number]['localStorage'],
  signal: AbortSignal,
): Promise<void> {
  const expression = `(() => { for (const { name, value } of ${JSON.stringify(values)}) ${area(isLocal)}.setItem(name, value) })()`
  await tab.evaluate(expression, signal)
}

async function items(tab: Tab, isLocal: boolean, signal: AbortSignal) {
  const expression = `Object.entries(${area(isLocal)}).map(([name, value]) => ({ name, value: String(value) }))`
  try {
    return entries.parse(await tab.evaluate(expression, signal))
  } catch (error) {
    // Some pages may not store anything.
    if (error instanceof BrowserProblem) return []
    throw error
  }
}

function area(isLocal: boolean): string {
  return isLocal ? 'localStorage' : 'sessionStorage'
}

/** null for pages that store nothing. */
function originOf(url: string): string | null {
  try {
    const { origin, protocol: scheme } = new URL(url)
    return scheme === 'http:' || scheme === 'https:' ? origin : null
  } catch {
    return null
  }
}
