import { timeLimit } from '../../async/time-limit.ts'
import type { Browser } from '../browser.ts'
import { BrowserProblem } from '../problem.ts'
import * as protocol from '../protocol.ts'
import type { Tab } from '../tab.ts'

const NAVIGATE_MS = 60_000

/** How a page came to be: the model sees it unchanged. */
export interface Arrival {
  url: string
  title: string
  /** It still loads. */
  unfinished: boolean
}

/** @throws BrowserProblem with the browser's own reason when there is no page to show */
export async function navigate(tab: Tab, url: string, signal: AbortSignal): Promise<Arrival> {
  try {
    tab.crashed = false
    const reply = await tab.send('Page.navigate', { url }, { signal, timeoutMs: NAVIGATE_MS })
    const { errorText } = protocol.navigated.parse(reply)
    // A download is no failure: there is no page, and a note tells of the file.
    if (errorText && errorText !== 'net::ERR_ABORTED') {
      await tab.readPlace(signal)
      throw new BrowserProblem(navigationError(url, errorText))
    }
    return await waitUntilLoaded(tab, signal)
  } catch (error) {
    if (signal.aborted) await stopLoading(tab)
    throw error
  }
}

export async function goBack(tab: Tab, signal: AbortSignal): Promise<Arrival> {
  const { currentIndex, entries } = protocol.history.parse(await tab.send('Page.getNavigationHistory', {}, { signal }))
  const before = entries[currentIndex - 1]
  if (!before) throw new BrowserProblem('There is no page before this one in its tab.')
  await tab.send('Page.navigateToHistoryEntry', { entryId: before.id }, { signal })
  return waitUntilLoaded(tab, signal)
}

/** Waits until the page rests. */
export async function waitUntilLoaded(tab: Tab, signal: AbortSignal, acted = true): Promise<Arrival> {
  const finished = await tab.activity.settled(signal, { acted })
  await tab.readPlace(signal)
  return { url: tab.url, title: tab.title, unfinished: !finished }
}

/** Also waits for tabs that the page opens. @returns where the agent stands then */
export async function waitUntilSettled(browser: Browser, tab: Tab, signal: AbortSignal): Promise<Arrival> {
  const arrival = tab.crashed || !browser.tabs.includes(tab) ? undefined : await waitUntilLoaded(tab, signal)
  await browser.prepared()
  await browser.downloaded(signal)
  const now = browser.current
  return arrival && now === tab ? arrival : waitUntilLoaded(now, signal)
}

async function stopLoading(tab: Tab): Promise<void> {
  // The step was given up; the page need not go on either.
  await tab.send('Page.stopLoading', {}, { signal: timeLimit(1000) }).catch(() => {})
}

const REASONS: Readonly<Record<string, string>> = {
  'net::ERR_CONNECTION_REFUSED': 'Nothing listens there. Is the server running, and at this port?',
  'net::ERR_NAME_NOT_RESOLVED': 'The name is not known. The sandbox may have no network.',
  'net::ERR_INTERNET_DISCONNECTED': 'The sandbox has no network.',
  'net::ERR_ADDRESS_UNREACHABLE': 'The address cannot be reached from the sandbox.',
  'net::ERR_EMPTY_RESPONSE': 'The server answered nothing.',
  'net::ERR_TOO_MANY_REDIRECTS': 'The page redirects in a circle.',
  'net::ERR_CERT_AUTHORITY_INVALID': 'Its certificate is not trusted in the sandbox.',
  'net::ERR_SSL_PROTOCOL_ERROR': 'It does not speak HTTPS; try http://.',
  'net::ERR_TIMED_OUT': 'It did not answer in time.',
  'net::ERR_CONNECTION_TIMED_OUT': 'It did not answer in time.',
  'net::ERR_UNSAFE_PORT': 'Browsers do not open this port; use another one.',
}

function navigationError(url: string, reason: string): string {
  return `${url.slice(0, 500)} could not be opened: ${reason}. ${REASONS[reason] ?? ''}`.trimEnd()
}
