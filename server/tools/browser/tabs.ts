import { z } from 'zod'
import { waitUntilLoaded } from '../../browser/acting/navigation.ts'
import type { Tool } from '../tool.ts'
import { browserTool } from './define.ts'
import { arrivalMessage, tabLines, tabOf } from './page.ts'
import type { BrowserHost } from './result.ts'

const parameters = z.object({ tab_id: z.string().describe('The tab’s id: four characters, from browser_list_tabs.') })

export function createTabTools(host: BrowserHost): Tool[] {
  return [createListTabs(host), createSwitchTab(host), createCloseTab(host)]
}

function createListTabs(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_list_tabs',
    kind: 'BrowserListTabsAction',
    description: 'The tabs of the browser with their ids and addresses. The current one has a star.',
    parameters: z.object({}),
    readOnly: true,
    run: async (_, browser) => ({ text: tabLines(browser).join('\n') }),
  })
}

function createSwitchTab(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_switch_tab',
    kind: 'BrowserSwitchTabAction',
    description: 'Make another tab the current one, which the other browser tools work on.',
    parameters,
    run: async ({ tab_id }, browser, signal) => {
      const tab = tabOf(browser, tab_id)
      await browser.switchTo(tab, signal)
      return { text: arrivalMessage(`Tab ${tab.id} is the current one.`, await waitUntilLoaded(tab, signal)) }
    },
  })
}

function createCloseTab(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_close_tab',
    kind: 'BrowserCloseTabAction',
    description: 'Close a tab. The one opened last becomes the current one; there is always one.',
    parameters,
    run: async ({ tab_id }, browser, signal) => {
      const tab = tabOf(browser, tab_id)
      await browser.closeTab(tab, signal)
      return { text: [`Closed tab ${tab.id}.`, ...tabLines(browser)].join('\n') }
    },
  })
}
