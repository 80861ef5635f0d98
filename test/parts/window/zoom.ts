import type { BrowserWindow } from 'electron'
import type { JSHandle } from 'playwright'
import { expect } from 'vitest'
import type { DesktopApp } from './desktop-app.ts'

type Shown = Pick<DesktopApp, 'app' | 'page'>

/** What a person reads or uses. */
const CONTENT =
  'h1, h2, h3, p, label, a[href], button, input, textarea, [tabindex="0"], [role="tab"], [role="option"], [role^="menuitem"], [role="treeitem"]'

/**
 * Looks at the page at 200 %, where the window has half as many pixels in each direction.
 * @param meanwhile called once the page is shown like that
 * @returns how far it scrolls sideways then, and what can be reached neither as it stands nor by scrolling
 */
export async function unreachableAtDoubleSize(
  { app, page }: Shown,
  meanwhile: (window: JSHandle<BrowserWindow>) => Promise<void>,
): Promise<string[]> {
  const window = await app.browserWindow(page)
  const full = await page.evaluate(() => innerWidth)
  const zoom = async (factor: number) => {
    await window.evaluate(({ webContents }, wanted) => webContents.setZoomFactor(wanted), factor)
    await expect.poll(() => page.evaluate(() => innerWidth), { interval: 10 }).toBe(full / factor)
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
  await zoom(2)
  try {
    await meanwhile(window)
    return await page.evaluate(unreachable, CONTENT)
  } finally {
    await zoom(1)
    await window.dispose()
  }
}

/** In the page. */
function unreachable(content: string): string[] {
  const SLACK = 2
  const MIN_ROOM = 24
  type Box = Record<'left' | 'right' | 'top' | 'bottom', number>

  /** What keeps a part of the element from being seen, whatever is scrolled; undefined when nothing does. */
  const cutBy = (element: Element): string | undefined => {
    let { left, right, top, bottom }: Box = element.getBoundingClientRect()
    let { position } = getComputedStyle(element)
    const isOutside = (room: Box) =>
      left < room.left - SLACK || right > room.right + SLACK || top < room.top - SLACK || bottom > room.bottom + SLACK
    for (let around = element.parentElement; around && position !== 'fixed'; around = around.parentElement) {
      const style = getComputedStyle(around)
      if (position === 'absolute' && style.position === 'static') continue
      position = style.position
      const room = around.getBoundingClientRect()
      const scrolls = { x: /auto|scroll/.test(style.overflowX), y: /auto|scroll/.test(style.overflowY) }
      if (scrolls.x && room.width >= MIN_ROOM) [left, right] = [room.left, room.right]
      if (scrolls.y && room.height >= MIN_ROOM) [top, bottom] = [room.top, room.bottom]
      if (style.overflow !== 'visible' && isOutside(room)) return around.outerHTML
    }
    return isOutside({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }) ? 'the window' : undefined
  }
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return (
      width > 1 &&
      height > 1 &&
      element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
      !element.closest('[inert], [aria-hidden="true"], .sr-only')
    )
  }
  const start = (html: string) => html.replace(/>[\s\S]*/, '>').slice(0, 160)
  const sideways = document.documentElement.scrollWidth - innerWidth
  return [
    ...(sideways > 0 ? [`the window scrolls sideways by ${sideways}`] : []),
    ...[...document.querySelectorAll(content)].filter(isShown).flatMap(element => {
      const by = cutBy(element)
      return by ? [`${start(element.outerHTML)} ${element.textContent.slice(0, 30)} is cut by ${start(by)}`] : []
    }),
  ]
}
