import { type Arrival, waitUntilLoaded } from '../../browser/acting/navigation.ts'
import { positionOf } from '../../browser/acting/pointer.ts'
import type { Browser } from '../../browser/browser.ts'
import { VIEWPORT } from '../../browser/launch.ts'
import { BrowserProblem } from '../../browser/problem.ts'
import { markdownOf, pageOf } from '../../browser/reading/markdown.ts'
import { outlineOf } from '../../browser/reading/outline.ts'
import { takeScreenshot } from '../../browser/reading/screenshot.ts'
import { takeSnapshot } from '../../browser/reading/snapshot.ts'
import type { KnownElement, Tab } from '../../browser/tab.ts'
import { address, type BrowserResult, errorLines, fenced } from './result.ts'

const CONTENT_PAGE = 30_000
const MAX_TITLE_LENGTH = 150

export interface ViewOptions {
  screenshot: boolean
  isSecret: (text: string) => boolean
  signal: AbortSignal
}

/** What is in view, with the numbers of its elements, which are remembered. */
export async function viewPage(
  browser: Browser,
  { screenshot, isSecret, signal }: ViewOptions,
): Promise<BrowserResult> {
  const tab = browser.current
  await waitUntilLoaded(tab, signal, false)
  const snapshot = await takeSnapshot(tab, signal)
  const { text, elements } = outlineOf(snapshot, { height: VIEWPORT.height, seen: tab.seen, base: tab.url })
  tab.elements = elements
  for (const { backendNodeId } of elements.values()) tab.seen.add(backendNodeId)
  const { y, height, view } = await positionOf(tab, signal)
  const lines = [
    ...tabLines(browser),
    `View: ${y} to ${y + view} of ${Math.max(height, view)} pixels from the top.`,
    fenced(tab.url, [`Title: ${tab.title}`, text || '(nothing is shown)', ...errorLines(tab.errors)].join('\n')),
  ]
  return {
    text: lines.join('\n'),
    ...(screenshot && { screenshot: await takeScreenshot(tab, { isSecret, signal }) }),
  }
}

export async function readPage(
  browser: Browser,
  { links, from }: { links: boolean; from: number },
  signal: AbortSignal,
): Promise<BrowserResult> {
  const tab = browser.current
  await waitUntilLoaded(tab, signal, false)
  const { root } = await takeSnapshot(tab, signal)
  const whole = markdownOf(root, { links, base: tab.url })
  const page = pageOf(whole, from, CONTENT_PAGE)
  const range = `Characters ${page.from} to ${page.from + page.text.length} of ${page.total}.`
  const next = page.next === null ? '' : ` Go on with start_from_char=${page.next}.`
  return { text: `${range}${next}\n${fenced(tab.url, page.text || '(no text)')}` }
}

/** @throws BrowserProblem when the number means nothing now */
export function elementOf({ elements }: Tab, index: number): KnownElement {
  if (!elements) {
    throw new BrowserProblem(
      'This page was not looked at yet. Call browser_get_state first: the numbers of elements come from there.',
    )
  }
  const element = elements.get(index)
  if (element) return element
  const known = elements.size === 0 ? 'It had none' : `It had 0 to ${elements.size - 1}`
  throw new BrowserProblem(`The last state had no element ${index}. ${known}. Look anew with browser_get_state.`)
}

export function arrivalMessage(done: string, { url, title, unfinished }: Arrival): string {
  const still = unfinished ? '\n[The page still loads. Look again later.]' : ''
  return `${done}\nThe current page is ${address(url)}${title ? `, titled ${quoted(title)}` : ''}.${still}`
}

/** A title is the page's own word, and one line. */
function quoted(title: string): string {
  return JSON.stringify(title.replace(/\s+/g, ' ').slice(0, MAX_TITLE_LENGTH))
}

/** Each tab, the current one marked. */
export function tabLines({ tabs, current }: Browser): string[] {
  return [
    'Tabs:',
    ...tabs.map(
      tab => `${tab === current ? '*' : '-'} ${tab.id} ${address(tab.url)}${tab.crashed ? ' (crashed)' : ''}`,
    ),
  ]
}

/** @throws BrowserProblem with the tabs that there are */
export function tabOf({ tabs }: Browser, id: string): Tab {
  const wanted = id.trim().toLowerCase()
  const tab = tabs.find(candidate => candidate.id === wanted)
  if (tab) return tab
  throw new BrowserProblem(`There is no tab ${JSON.stringify(id)}. There are: ${tabs.map(each => each.id).join(', ')}.`)
}
