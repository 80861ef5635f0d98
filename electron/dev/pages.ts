import type { Session } from 'electron'
import { APP_SCHEME, isAppAddress } from '../addresses.ts'
import { CONTENT_SECURITY_POLICY } from '../app-files.ts'
import { isRead, refusal, SECURITY_HEADERS } from '../protocol.ts'

export interface DevPages {
  /** Where Vite's development server listens, such as `http://127.0.0.1:5173`. */
  server: string
  /** What Vite marks its own inline scripts with. */
  nonce: string
}

/**
 * Answers the window's requests from Vite's development server. The window keeps its address, so every other rule holds as
 * in the built app.
 */
export function serveDevPages(session: Session, { server, nonce }: DevPages): void {
  session.protocol.handle(APP_SCHEME, async request => {
    if (!isRead(request) || !isAppAddress(request.url)) return refusal(405)
    const { pathname, search } = new URL(request.url)
    const accept = request.headers.get('accept') ?? '*/*'
    // Node's own: Chromium's breaks off what is on its way when a network interface comes, as one does with every sandbox.
    const reply = await fetch(`${server}${pathname}${search}`, { headers: { accept } })
    const headers = {
      ...SECURITY_HEADERS,
      'Content-Security-Policy': devPolicy(nonce),
      'Content-Type': reply.headers.get('content-type') ?? 'application/octet-stream',
      'Cache-Control': 'no-store',
    }
    return new Response(reply.body, { status: reply.status, headers })
  })
}

/** The policy of the built app, and the inline scripts with Vite's nonce. */
function devPolicy(nonce: string): string {
  return CONTENT_SECURITY_POLICY.replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`)
}
