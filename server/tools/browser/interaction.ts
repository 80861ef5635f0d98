import { z } from 'zod'
import { type } from '../../browser/acting/keyboard.ts'
import { goBack, navigate, waitUntilSettled } from '../../browser/acting/navigation.ts'
import { click, scroll } from '../../browser/acting/pointer.ts'
import { addressOf } from '../../browser/address.ts'
import { BrowserProblem } from '../../browser/problem.ts'
import { withSecrets } from '../mcp.ts'
import type { Tool } from '../tool.ts'
import { browserTool } from './define.ts'
import { arrivalMessage, elementOf } from './page.ts'
import type { BrowserHost } from './result.ts'

const index = z.int().min(0).describe('The number of the element in the last browser_get_state.')

/** Going to pages, and doing something on them. */
export function createInteractionTools(host: BrowserHost): Tool[] {
  return [createNavigate(host), createClick(host), createType(host), createScroll(host), createGoBack(host)]
}

function createNavigate(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_navigate',
    kind: 'BrowserNavigateAction',
    description: `Open a page in the browser of the sandbox, a headless Chromium.

* The sandbox's own servers are at localhost. Other addresses are reached as far as the sandbox has a network.
* Only http and https are opened (and data: and about:blank). A file of the sandbox is read with the other tools, or served: python3 -m http.server.
* Use it to try out and check web pages and to read what only a browser shows. A plain download or an API is done faster with curl.
* Downloads are saved in the sandbox; the answer names the file. Dialogs are closed by themselves and told.`,
    parameters: z.object({
      url: z.string().min(1).describe('The address, such as http://localhost:3000/login.'),
      new_tab: z.boolean().default(false).describe('true: in a new tab, which becomes the current one.'),
    }),
    run: async ({ url, new_tab }, browser, signal) => {
      const address = addressOf(await withSecrets(url, host.environmentFor))
      const tab = new_tab || browser.tabs.length === 0 ? await browser.openTab(signal) : browser.current
      await navigate(tab, address, signal)
      const arrival = await waitUntilSettled(browser, tab, signal)
      return { text: arrivalMessage(`Opened in tab ${browser.current.id}.`, arrival) }
    },
  })
}

function createClick(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_click',
    kind: 'BrowserClickAction',
    description:
      'Click an element of the current page by its number from browser_get_state. It is scrolled into view first. The answer says where the browser stands then; look at the page again to see what changed.',
    parameters: z.object({
      index,
      new_tab: z.boolean().default(false).describe('true: open the link in a new tab. Only for links.'),
    }),
    run: async ({ index: number, new_tab }, browser, signal) => {
      const tab = browser.current
      const element = elementOf(tab, number)
      if (new_tab) {
        if (element.href === null) throw new BrowserProblem(`Element ${number} is no link. Click it without new_tab.`)
        const address = addressOf(element.href)
        const opened = await browser.openTab(signal)
        await navigate(opened, address, signal)
        const arrival = await waitUntilSettled(browser, opened, signal)
        return { text: arrivalMessage(`Opened the link in tab ${opened.id}.`, arrival) }
      }
      await click(tab, element, signal)
      return { text: arrivalMessage(`Clicked element ${number}.`, await waitUntilSettled(browser, tab, signal)) }
    },
  })
}

function createType(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_type',
    kind: 'BrowserTypeAction',
    description: `Write text into a field of the current page, in the place of what it holds.

* A line end presses Enter: end the text with one to send a form.
* In a list (select) the text names the option. In a date, time, colour or range field it is the field's value (2026-01-31). In a file field it is the path of a file in the sandbox.
* A secret is typed by naming it: $NAME. Type secrets only into the site that they belong to.`,
    parameters: z.object({ index, text: z.string().describe('What to write. Empty: clear the field.') }),
    run: async ({ index: number, text }, browser, signal) => {
      const tab = browser.current
      const element = elementOf(tab, number)
      await type(tab, element, await withSecrets(text, host.environmentFor), signal)
      return { text: arrivalMessage(`Typed into element ${number}.`, await waitUntilSettled(browser, tab, signal)) }
    },
  })
}

function createScroll(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_scroll',
    kind: 'BrowserScrollAction',
    description: 'Scroll the current page by most of a screen. browser_get_state then shows what is in view.',
    parameters: z.object({ direction: z.enum(['up', 'down']).default('down').describe('Which way.') }),
    readOnly: true,
    run: async ({ direction }, browser, signal) => {
      const { before, after } = await scroll(browser.current, direction, signal)
      const end = direction === 'down' ? 'bottom' : 'top'
      const moved = before.y === after.y ? `The page did not move: it is at its ${end}, or an inner part scrolled.` : ''
      return { text: `${moved} View: ${after.y} to ${after.y + after.view} of ${after.height} pixels.`.trimStart() }
    },
  })
}

function createGoBack(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_go_back',
    kind: 'BrowserGoBackAction',
    description: 'Go back to the page before, in the current tab.',
    parameters: z.object({}),
    run: async (_, browser, signal) => {
      const arrival = await goBack(browser.current, signal)
      return { text: arrivalMessage('Went back.', arrival) }
    },
  })
}
