import type { Locator, Page } from 'playwright'

/** Drops files and folders of this computer onto an element, as a file manager does. */
export async function dropPaths(page: Page, target: Locator, paths: readonly string[]): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {}
  const session = await page.context().newCDPSession(page)
  const at = { x: x + width / 2, y: y + height / 2, data: { items: [], files: [...paths], dragOperationsMask: 1 } }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at })
  await session.detach()
}
