import { findBrowser } from '../../../server/browser/acting/find.ts'
import { BrowserSession } from '../../../server/browser/session.ts'
import { randomToken } from '../../../server/domain/ids.ts'
import type { BrowserHost } from '../../../server/tools/browser/result.ts'
import { createBrowserTools } from '../../../server/tools/browser.ts'
import { startTestSandbox, type TestSandbox } from '../engine/sandbox.ts'
import { servePages, type WebPages } from './web-page.ts'

/** What a person has stored; `$TOKEN` names it. */
export const SECRET = 'tok-0123456789abcdef'

const PATIENCE_MS = 60_000

/** Who uses the browser tools as an agent does: a real browser in a real sandbox, with pages that it serves itself. */
export class BrowserUser {
  readonly sandbox: TestSandbox
  readonly pages: WebPages
  readonly session: BrowserSession
  readonly host: BrowserHost

  constructor(sandbox: TestSandbox, pages: WebPages) {
    this.sandbox = sandbox
    this.pages = pages
    this.session = this.newSession()
    this.host = hostOf(this.session)
  }

  newSession(idleMs = 600_000): BrowserSession {
    const { handle } = this.sandbox
    return new BrowserSession({
      sandbox: async () => handle,
      whileRunning: async () => handle,
      executable: async signal => {
        const found = await findBrowser(handle, signal)
        return found.kind === 'found' ? found.executable : 'none'
      },
      onFailure: () => {},
      place: { profile: `/tmp/.profile-${randomToken(6)}`, downloads: '/tmp/downloads' },
      idleMs,
    })
  }

  /** Calls `browser_<name>`. */
  async call(
    name: string,
    given: Record<string, unknown> = {},
    { host = this.host, signal = AbortSignal.timeout(PATIENCE_MS) }: { host?: BrowserHost; signal?: AbortSignal } = {},
  ) {
    const tool = createBrowserTools(host).find(each => each.name === `browser_${name}`)
    if (!tool) throw new Error(`There is no tool browser_${name}.`)
    const action = tool.toAction(tool.parameters.parse(given))
    const observation = await tool.run(action, { signal, onOutput: () => {} })
    if (observation.kind !== 'BrowserObservation') throw new Error('Another observation.')
    const text = observation.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
    return { ...observation, text }
  }

  open(path: string, more: { new_tab?: boolean } = {}) {
    return this.call('navigate', { url: `${this.pages.url}/${path}`, ...more })
  }

  /** The number that the state gives the element whose line has these words. */
  async numberOf(words: string): Promise<number> {
    const { text } = await this.call('get_state')
    const found = text.split('\n').find(line => /^\*?\[\d+\]/.test(line) && line.includes(words))
    if (!found) throw new Error(`No element “${words}” in:\n${text}`)
    return Number(/\[(\d+)\]/.exec(found)?.[1])
  }

  async click(words: string, more: { new_tab?: boolean } = {}) {
    return this.call('click', { index: await this.numberOf(words), ...more })
  }

  async type(words: string, text: string) {
    return this.call('type', { index: await this.numberOf(words), text })
  }

  async close(): Promise<void> {
    await this.session.close()
    await this.pages.close()
    await this.sandbox.close()
  }
}

export async function startBrowserUser(files: Record<string, string>): Promise<BrowserUser> {
  const sandbox = await startTestSandbox('browser')
  return new BrowserUser(sandbox, await servePages(sandbox.handle, files))
}

export function hostOf(browser: BrowserSession): BrowserHost {
  return {
    browser,
    mask: text => text.replaceAll(SECRET, '<secret-hidden>'),
    environmentFor: async named => (named.includes('$TOKEN') ? { TOKEN: SECRET } : {}),
  }
}

/** What stands between the marks of the page. */
export function inPage(text: string): string[] {
  return (/<web_page[^>]*>\n([\s\S]*)\n<\/web_page>/.exec(text)?.[1] ?? '').split('\n')
}

/** Of the tab that an answer names first. */
export function tabIn(text: string): string {
  return /tab (\w+)\./.exec(text)?.[1] ?? 'none'
}
