import { z } from 'zod'
import type { Action } from '../../api/event/actions.ts'
import { BROWSER_ACTIONS } from '../../api/event/browser-actions.ts'
import type { Browser } from '../../browser/browser.ts'
import type { Tool } from '../tool.ts'
import { type BrowserHost, type BrowserResult, runInBrowser } from './result.ts'

const browserAction = z.discriminatedUnion('kind', BROWSER_ACTIONS)
export type BrowserAction = z.output<typeof browserAction>
type OfKind<Kind extends BrowserAction['kind']> = Extract<BrowserAction, { kind: Kind }>

export interface BrowserToolOf<Kind extends BrowserAction['kind']> {
  name: `browser_${string}`
  kind: Kind
  description: string
  parameters: z.ZodObject
  readOnly?: boolean
  run(action: OfKind<Kind>, browser: Browser, signal: AbortSignal): Promise<BrowserResult>
}

/** A tool of the conversation's browser. All of them share it; whoever made it closes it. */
export function browserTool<Kind extends BrowserAction['kind']>(
  host: BrowserHost,
  { name, kind, description, parameters, readOnly = false, run }: BrowserToolOf<Kind>,
): Tool {
  const isOwn = (action: Action): action is OfKind<Kind> => action.kind === kind
  return {
    name,
    description,
    parameters,
    readOnly,
    page: () => pageOf(host),
    toAction: given => browserAction.parse({ kind, ...parameters.parse(given) }),
    run: async (action, context) => {
      if (!isOwn(action)) throw new TypeError(`${name} does not carry out a ${action.kind}.`)
      return runInBrowser(host, context, browser => run(action, browser, context.signal))
    },
    close: async () => {},
  }
}

/** Where the browser stands; null while it stands nowhere. */
function pageOf({ browser: { browser } }: BrowserHost): string | null {
  return browser && browser.tabs.length > 0 ? browser.current.url : null
}
