import { z } from 'zod'

const index = z.int().min(0)

/** The browser tools' actions; an element's `index` is the number that the last state gave it. */
export const BROWSER_ACTIONS = [
  z.object({
    kind: z.literal('BrowserNavigateAction'),
    url: z.string().describe('Address to open.'),
    new_tab: z.boolean().default(false).describe('Whether it opens in a new tab, not in the current one.'),
  }),
  z.object({
    kind: z.literal('BrowserClickAction'),
    index: index.describe('Number of the element on the page, as the last state of the page has it.'),
    new_tab: z.boolean().default(false).describe('Whether the link opens in a new tab.'),
  }),
  z.object({
    kind: z.literal('BrowserTypeAction'),
    index: index.describe('Number of the field on the page, as the last state of the page has it.'),
    text: z.string().describe('Text to type in the place of what the field has.'),
  }),
  z.object({
    kind: z.literal('BrowserGetStateAction'),
    include_screenshot: z.boolean().default(false).describe('Whether a picture of the page comes with its state.'),
  }),
  z.object({
    kind: z.literal('BrowserGetContentAction'),
    extract_links: z.boolean().default(false).describe('Whether the addresses of links are in the text.'),
    start_from_char: z
      .int()
      .min(0)
      .default(0)
      .describe('Character of the text to begin with, from 0, for what was too long for one answer.'),
  }),
  z.object({
    kind: z.literal('BrowserScrollAction'),
    direction: z.enum(['up', 'down']).default('down').describe('Where to scroll, by one page.'),
  }),
  z.object({ kind: z.literal('BrowserGoBackAction') }),
  z.object({ kind: z.literal('BrowserListTabsAction') }),
  z.object({ kind: z.literal('BrowserSwitchTabAction'), tab_id: z.string().describe('Tab to show.') }),
  z.object({ kind: z.literal('BrowserCloseTabAction'), tab_id: z.string().describe('Tab to close.') }),
  z.object({ kind: z.literal('BrowserGetStorageAction') }),
  z.object({
    kind: z.literal('BrowserSetStorageAction'),
    storage_state: z
      .record(z.string(), z.unknown())
      .describe('Cookies and local storage to set, as `BrowserGetStorageAction` answers them.'),
  }),
] as const
