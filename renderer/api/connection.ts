import type { Desktop } from '../../electron/ipc.ts'
import { login } from '../../server/api/v1/system/system.ts'
import { createClient } from '../../server/client/client.ts'
import { t } from './text.ts'

export interface ServiceConnection {
  url: string
  key: string
}

/** What of the window a connection needs. */
export interface Page {
  location: Pick<Location, 'origin' | 'pathname' | 'search' | 'hash'>
  history: Pick<History, 'replaceState'>
  sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  atelier?: Pick<Desktop, 'connection'> | undefined
}

/** Why there is no connection: a browser without a key needs a login link, anything else is a failure with a reason. */
export class LoginNeeded extends Error {}

/** Of a browser's tab. */
export const STORED_KEY = 'atelier.session-key'

/** Asks the desktop, or, in a browser, exchanges the login link's code; the key then lives as long as the tab. */
export async function findConnection(page: Page): Promise<ServiceConnection> {
  if (page.atelier) {
    const { url, key } = await page.atelier.connection()
    return { url, key }
  }
  const url = page.location.origin
  const code = takeLoginCode(page)
  if (code) {
    const { session_api_key } = await createClient({ url, key: null }).call(login, { body: { code } })
    page.sessionStorage.setItem(STORED_KEY, session_api_key)
  }
  const key = page.sessionStorage.getItem(STORED_KEY)
  if (!key) throw new LoginNeeded(t('thisTabHasNoKey'))
  return { url, key }
}

/** After the service refused the key: the next `findConnection` asks for a login. */
export function forgetKey(page: Page): void {
  page.sessionStorage.removeItem(STORED_KEY)
}

/** The code leaves the address and the history before anything else happens. */
function takeLoginCode(page: Page): string | undefined {
  const code = loginCodeIn(page.location.hash)
  if (code) page.history.replaceState(null, '', `${page.location.pathname}${page.location.search}#/`)
  return code
}

/** The code of `#login=<code>`, of a whole login link, or nothing. */
export function loginCodeIn(text: string): string | undefined {
  const code = /#login=([^&\s]+)/.exec(text)?.[1]
  return code === undefined ? undefined : decodeURIComponent(code)
}
