import { timeLimit } from '../../async/time-limit.ts'
import { walk } from '../page-text.ts'
import * as protocol from '../protocol.ts'
import type { Tab } from '../tab.ts'
import { type PageNode, type PageSnapshot, takeSnapshot } from './snapshot.ts'

const QUALITY = 80
const SCREENSHOT_MS = 20_000
const MAX_COVERED = 200

/** Shows as dots, whatever the page's own style says. */
const COVER = `function () {
  const before = this.getAttribute('style')
  this.style.setProperty('-webkit-text-security', 'disc', 'important')
  return before
}`
const UNCOVER = `function (before) {
  if (before === null) this.removeAttribute('style')
  else this.setAttribute('style', before)
}`

/**
 * What is in view, as a data URL. Texts that `isSecret` knows are shown as dots.
 */
export async function takeScreenshot(
  tab: Tab,
  { isSecret, signal }: { isSecret: (text: string) => boolean; signal: AbortSignal },
): Promise<string> {
  const secret = secretElements(await takeSnapshot(tab, signal), isSecret)
  const covered: { id: number; before: unknown }[] = []
  try {
    for (const id of secret) covered.push({ id, before: await tab.call(id, COVER, [], signal) })
    const request = { format: 'jpeg', quality: QUALITY, captureBeyondViewport: false }
    const reply = await tab.send('Page.captureScreenshot', request, { signal, timeoutMs: SCREENSHOT_MS })
    return `data:image/jpeg;base64,${protocol.screenshot.parse(reply).data}`
  } finally {
    const late = timeLimit(5_000)
    for (const { id, before } of covered) {
      // The element may be gone by now, and the page with it.
      await tab.call(id, UNCOVER, [typeof before === 'string' ? before : null], late).catch(() => {})
    }
  }
}

/** The elements whose own text or value has a secret in it. */
function secretElements({ root }: PageSnapshot, isSecret: (text: string) => boolean): number[] {
  const found = new Set<number>()
  walk(root, (node, ancestors) => {
    if (isSecret(node.value ?? '')) found.add(node.backendNodeId)
    if (node.name === '#text' && isSecret(node.text)) addElement(found, ancestors)
    return found.size < MAX_COVERED
  })
  return [...found]
}

function addElement(found: Set<number>, ancestors: readonly PageNode[]): void {
  const element = ancestors.findLast(({ name }) => !name.startsWith('#'))
  if (element) found.add(element.backendNodeId)
}
