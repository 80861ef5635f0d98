import { z } from 'zod'

const index = z.int().min(0)

/** The browser tools' actions; an element's `index` is the number that the last state gave it. */
export const BROWSER_ACTIONS = [
  z.object({ kind: z.literal('BrowserNavigateAction'), url: z.string(), new_tab: z.boolean().default(false) }),
  z.object({ kind: z.literal('BrowserClickAction'), index, new_tab: z.boolean().default(false) }),
  z.object({ kind: z.literal('BrowserTypeAction'), index, text: z.string() }),
  z.object({ kind: z.literal('BrowserGetStateAction'), include_screenshot: z.boolean().default(false) }),
  z.object({
    kind: z.literal('BrowserGetContentAction'),
    extract_links: z.boolean().default(false),
    start_from_char: z.int().min(0).default(0),
  }),
  z.object({ kind: z.literal('BrowserScrollAction'), direction: z.enum(['up', 'down']).default('down') }),
  z.object({ kind: z.literal('BrowserGoBackAction') }),
  z.object({ kind: z.literal('BrowserListTabsAction') }),
  z.object({ kind: z.literal('BrowserSwitchTabAction'), tab_id: z.string() }),
  z.object({ kind: z.literal('BrowserCloseTabAction'), tab_id: z.string() }),
  z.object({ kind: z.literal('BrowserGetStorageAction') }),
  z.object({ kind: z.literal('BrowserSetStorageAction'), storage_state: z.record(z.string(), z.unknown()) }),
] as const
