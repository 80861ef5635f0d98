import { z } from 'zod'
import type { Tool } from '../tool.ts'
import { browserTool } from './define.ts'
import { readPage, viewPage } from './page.ts'
import type { BrowserHost } from './result.ts'

/** Seeing what is on the page. */
export function createReadingTools(host: BrowserHost): Tool[] {
  return [createGetState(host), createGetContent(host)]
}

function createGetState(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_get_state',
    kind: 'BrowserGetStateAction',
    description: `Look at the current page: its address, the tabs, what its console complains about, and what is in view and near it as text. Elements that can be used have a number in brackets, [12]; browser_click and browser_type take that number. A star marks elements that are new since the last look. Numbers hold until the page changes: look again after every click that may change it.`,
    parameters: z.object({
      include_screenshot: z
        .boolean()
        .default(false)
        .describe('true: also a picture of what is in view. For layout and looks; the text says the rest.'),
    }),
    readOnly: true,
    run: ({ include_screenshot }, browser, signal) => {
      const isSecret = (text: string) => host.mask(text) !== text
      return viewPage(browser, { screenshot: include_screenshot, isSecret, signal })
    },
  })
}

function createGetContent(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_get_content',
    kind: 'BrowserGetContentAction',
    description: `Read the whole text of the current page as Markdown: headings, lists, tables, code. Long pages come in pieces of 30,000 characters.`,
    parameters: z.object({
      extract_links: z.boolean().default(false).describe('true: with the addresses of links.'),
      start_from_char: z.int().min(0).default(0).describe('Where to begin, for a long page.'),
    }),
    readOnly: true,
    run: ({ extract_links, start_from_char }, browser, signal) =>
      readPage(browser, { links: extract_links, from: start_from_char }, signal),
  })
}
