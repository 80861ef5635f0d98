import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { SETTINGS_SECTIONS } from '../../../renderer/pages/settings/sections.ts'
import { searchAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { startDemonstration } from '../../../server/api/v1/conversation/starts.ts'
import { it as base } from '../../fixtures/window.ts'

declare global {
  var moves: string[]
}

/** Milliseconds by which answers come later than others, so that each page is seen with a part of what it shows. */
const DELAYS = [0, 80, 200]

const test = base
  .extend('settings', { scope: 'file' }, null)
  .extend('page', { scope: 'file' }, async ({ desktop: { page } }) => {
    await page.route('**/api/**', async (route, request) => {
      const sum = [...new URL(request.url()).pathname].reduce((total, letter) => total + letter.charCodeAt(0), 0)
      await sleep(DELAYS[sum % DELAYS.length])
      // The page may have been left meanwhile.
      await route.continue().catch(() => {})
    })
    await page.addInitScript(noteMoves)
    return page
  })

/** Runs in the page. A press that hits what has just moved is lost, or does something else. */
function noteMoves(): void {
  interface LayoutShift extends PerformanceEntry {
    hadRecentInput: boolean
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
  }
  const isPressed = (node: Node | null) =>
    node instanceof Element &&
    (node.matches('button, a, input, textarea') || node.querySelector('button, a, input, textarea'))
  globalThis.moves = []
  new PerformanceObserver(list => {
    for (const { hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput) continue
      for (const { node, previousRect: from, currentRect: to } of sources) {
        if (!isPressed(node)) continue
        moves.push(`“${node?.textContent?.slice(0, 60)}” from ${from.x}, ${from.y} to ${to.x}, ${to.y}`)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

async function movesOnOpening(page: Page): Promise<string[]> {
  await page.reload({ waitUntil: 'networkidle' })
  return page.evaluate(() => moves)
}

test('the first page keeps in place what can be pressed while the rest of it comes', async ({ page }) => {
  expect(await movesOnOpening(page)).toEqual([])
  // What does move is seen.
  await page.evaluate(() => {
    const block = document.createElement('div')
    block.style.height = '60px'
    document.querySelector('main')?.firstElementChild?.prepend(block)
  })
  await expect.poll(() => page.evaluate(() => moves.length)).toBeGreaterThan(0)
})

test('so does each other page', { timeout: 180_000 }, async ({ page, desktop: { service } }) => {
  await service.client.call(startDemonstration)
  const conversations = async () => (await service.client.call(searchAppConversations, { query: {} })).items
  await expect
    .poll(async () => (await conversations()).map(({ execution_status }) => execution_status), { timeout: 60_000 })
    .toEqual(['finished'])
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  const [conversation] = await conversations()
  const found: Record<string, string[]> = {}
  const places = [
    '/',
    `/conversations/${conversation?.id}`,
    '/sandboxes',
    '/search?text=test',
    ...SETTINGS_SECTIONS.map(section => `/settings/${section}`),
  ]
  for (const place of places) {
    await page.evaluate(address => location.assign(`#${address}`), place)
    const moves = await movesOnOpening(page)
    expect(new URL(page.url()).hash).toBe(`#${place}`)
    if (moves.length > 0) found[place] = moves
  }
  expect(found).toEqual({})
})
