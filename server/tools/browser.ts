import { createInteractionTools } from './browser/interaction.ts'
import { createReadingTools } from './browser/reading.ts'
import type { BrowserHost } from './browser/result.ts'
import { createStorageTools } from './browser/storage.ts'
import { createTabTools } from './browser/tabs.ts'
import type { Tool } from './tool.ts'

const BROWSER_TOOL = /^browser_/

/** For a sandbox without a browser. */
export function withoutBrowser(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ name }) => !BROWSER_TOOL.test(name))
}

/** The tools of a conversation's browser, for sandboxes that have one. */
export function createBrowserTools(host: BrowserHost): Tool[] {
  return [
    ...createInteractionTools(host),
    ...createReadingTools(host),
    ...createTabTools(host),
    ...createStorageTools(host),
  ]
}
