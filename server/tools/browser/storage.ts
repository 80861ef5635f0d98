import { z } from 'zod'
import { BrowserProblem } from '../../browser/problem.ts'
import { readStorage, storageState, writeStorage } from '../../browser/reading/storage.ts'
import { withSecrets } from '../mcp.ts'
import type { Tool } from '../tool.ts'
import { browserTool } from './define.ts'
import { type BrowserHost, fenced } from './result.ts'

/** What pages keep in the browser. */
export function createStorageTools(host: BrowserHost): Tool[] {
  return [createGetStorage(host), createSetStorage(host)]
}

function createGetStorage(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_get_storage',
    kind: 'BrowserGetStorageAction',
    description:
      'The cookies of the browser, and what the open pages keep in their local and session storage, as JSON. It can hold keys to accounts: do not copy them anywhere.',
    parameters: z.object({}),
    run: async (_, browser, signal) => {
      const state = await readStorage(browser, signal)
      return { text: fenced(browser.current.url, JSON.stringify(state, null, 2)) }
    },
  })
}

function createSetStorage(host: BrowserHost): Tool {
  return browserTool(host, {
    name: 'browser_set_storage',
    kind: 'BrowserSetStorageAction',
    description:
      'Add cookies and stored values to the browser, in the format of browser_get_storage, to begin in a known state. Pages see them when they are loaded the next time.',
    parameters: z.object({
      storage_state: z
        .record(z.string(), z.unknown())
        .describe(
          '{"cookies": [{"name", "value", "domain" or "url", …}], "origins": [{"origin": "https://…", "localStorage": [{"name", "value"}]}]}',
        ),
    }),
    run: async ({ storage_state }, browser, signal) => {
      const parsed = storageState.safeParse(await withSecrets(storage_state, host.environmentFor))
      if (!parsed.success) throw new BrowserProblem(`storage_state is not as it must be. ${problems(parsed.error)}`)
      await writeStorage(browser, parsed.data, signal)
      const { cookies, origins } = parsed.data
      return { text: `Added ${cookies.length} cookies, and values of ${origins.length} origins.` }
    },
  })
}

function problems({ issues }: z.ZodError): string {
  return issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ')
}
