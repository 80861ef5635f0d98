import { VIEWPORT } from '../launch.ts'
import { BrowserProblem, CommandRefused } from '../problem.ts'
import * as protocol from '../protocol.ts'
import type { KnownElement, Tab } from '../tab.ts'

const SCROLL_SHARE = 0.8

/** @throws BrowserProblem when it cannot be clicked by anybody: it is gone, has no size, or something lies over it */
export async function click(tab: Tab, element: KnownElement, signal: AbortSignal): Promise<void> {
  const { backendNodeId } = element
  await scrollIntoView(tab, backendNodeId, signal)
  const points = await pointsOf(tab, backendNodeId, signal)
  const own = points.length > 0 ? await idsIn(tab, backendNodeId, signal) : new Set<number>()
  let covering: number | undefined
  for (const point of points) {
    const hit = await nodeAt(tab, point, signal)
    if (hit === undefined || own.has(hit)) return press(tab, point, signal)
    covering = hit
  }
  // Boxes that a page draws itself lie over the real one, or that has no size.
  if (points.length === 0 || isDrawn(element)) return clickByScript(tab, backendNodeId, signal)
  throw new BrowserProblem(`Something lies over this element: ${await nameOf(tab, covering, signal)}. ${COVERED}`)
}

const COVERED = 'Look at the page with browser_get_state and close or answer what is in the way first.'

function isDrawn({ tag, type }: KnownElement): boolean {
  return tag === 'input' && (type === 'checkbox' || type === 'radio' || type === 'file')
}

async function clickByScript(tab: Tab, backendNodeId: number, signal: AbortSignal): Promise<void> {
  await tab.call(backendNodeId, 'function () { this.click() }', [], signal)
}

/** Scrolls what is in the middle of the view. @returns how far the page is, before and after */
export async function scroll(tab: Tab, direction: 'up' | 'down', signal: AbortSignal) {
  const before = await positionOf(tab, signal)
  const deltaY = VIEWPORT.height * SCROLL_SHARE * (direction === 'down' ? 1 : -1)
  const middle = { x: VIEWPORT.width / 2, y: VIEWPORT.height / 2 }
  await tab.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...middle, deltaX: 0, deltaY }, { signal })
  await tab.activity.settled(signal, { acted: true })
  return { before, after: await positionOf(tab, signal) }
}

export async function positionOf(tab: Tab, signal: AbortSignal): Promise<{ y: number; height: number; view: number }> {
  const metrics = protocol.layoutMetrics.parse(await tab.send('Page.getLayoutMetrics', {}, { signal }))
  const { pageY, clientHeight } = metrics.cssVisualViewport
  return { y: Math.round(pageY), height: Math.round(metrics.cssContentSize.height), view: Math.round(clientHeight) }
}

/** @throws BrowserProblem when the element is not there any more */
export async function scrollIntoView(tab: Tab, backendNodeId: number, signal: AbortSignal): Promise<void> {
  try {
    await tab.send('DOM.scrollIntoViewIfNeeded', { backendNodeId }, { signal })
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error
    // What is not rendered may still be there.
    if (!(await isThere(tab, backendNodeId, signal))) throw new BrowserProblem(ELEMENT_GONE)
  }
}

async function isThere(tab: Tab, backendNodeId: number, signal: AbortSignal): Promise<boolean> {
  try {
    return (await tab.call(backendNodeId, 'function () { return this.isConnected }', [], signal)) === true
  } catch (error) {
    if (error instanceof CommandRefused) return false
    throw error
  }
}

const ELEMENT_GONE = 'This element is not on the page any more. Look at it anew with browser_get_state.'

type Point = { x: number; y: number }

/** Where it can be hit: the middles of its boxes, and then points nearer to their corners. */
async function pointsOf(tab: Tab, backendNodeId: number, signal: AbortSignal): Promise<Point[]> {
  const reply = await tab.send('DOM.getContentQuads', { backendNodeId }, { signal }).catch(error => {
    if (error instanceof CommandRefused) return { quads: [] }
    throw error
  })
  const corners = protocol.quads.parse(reply).quads.slice(0, 4).map(toPoints)
  const large = corners.filter(quad => areaOf(quad) >= 1)
  const near = (quad: Point[]) => quad.map(corner => between(corner, middleOf(quad), 0.25))
  const all = [...large.map(middleOf), ...large.flatMap(near)]
  return all.filter(({ x, y }) => x >= 0 && y >= 0 && x < VIEWPORT.width && y < VIEWPORT.height)
}

function toPoints(quad: readonly number[]): Point[] {
  return [0, 2, 4, 6].map(at => ({ x: quad[at] ?? 0, y: quad[at + 1] ?? 0 }))
}

function middleOf(quad: readonly Point[]): Point {
  const sum = quad.reduce((left, right) => ({ x: left.x + right.x, y: left.y + right.y }), { x: 0, y: 0 })
  return { x: sum.x / quad.length, y: sum.y / quad.length }
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

function areaOf(quad: readonly Point[]): number {
  const next = (index: number) => quad[(index + 1) % quad.length] ?? { x: 0, y: 0 }
  return Math.abs(quad.reduce((sum, { x, y }, index) => sum + x * next(index).y - next(index).x * y, 0)) / 2
}

/** What would be clicked there. */
async function nodeAt(tab: Tab, { x, y }: Point, signal: AbortSignal): Promise<number | undefined> {
  const place = { x: Math.round(x), y: Math.round(y), includeUserAgentShadowDOM: false }
  const reply = await tab.send('DOM.getNodeForLocation', place, { signal }).catch(error => {
    if (error instanceof CommandRefused) return undefined
    throw error
  })
  return reply === undefined ? undefined : protocol.nodeAt.parse(reply).backendNodeId
}

type Described = ReturnType<typeof protocol.described.parse>['node']

async function idsIn(tab: Tab, backendNodeId: number, signal: AbortSignal): Promise<Set<number>> {
  const reply = await tab.send('DOM.describeNode', { backendNodeId, depth: -1, pierce: true }, { signal })
  const ids = new Set<number>()
  const open: Described[] = [protocol.described.parse(reply).node]
  for (let node = open.pop(); node; node = open.pop()) {
    ids.add(node.backendNodeId)
    open.push(...(node.children ?? []), ...(node.shadowRoots ?? []))
  }
  return ids
}

async function nameOf(tab: Tab, backendNodeId: number | undefined, signal: AbortSignal): Promise<string> {
  if (backendNodeId === undefined) return 'another element'
  const reply = await tab.send('DOM.describeNode', { backendNodeId }, { signal })
  const { nodeName, attributes = [] } = protocol.described.parse(reply).node
  const shown = attributes.flatMap((name, at) =>
    at % 2 === 0 && (name === 'id' || name === 'class' || name === 'role')
      ? [` ${name}="${(attributes[at + 1] ?? '').slice(0, 80)}"`]
      : [],
  )
  return `<${nodeName.toLowerCase()}${shown.join('')}>`
}

async function press(tab: Tab, point: Point, signal: AbortSignal): Promise<void> {
  const send = (type: string, more: object = {}) =>
    tab.send('Input.dispatchMouseEvent', { type, ...point, ...more }, { signal })
  await send('mouseMoved')
  await send('mousePressed', { button: 'left', clickCount: 1 })
  await send('mouseReleased', { button: 'left', clickCount: 1 })
}
