import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { protocol, type Session } from 'electron'
import { APP_SCHEME } from './addresses.ts'
import { CONTENT_SECURITY_POLICY, MEDIA_TYPES, resolveAppFile } from './app-files.ts'

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

export function serveAppScheme(session: Session, rendererFolder: string): void {
  session.protocol.handle(APP_SCHEME, async request => {
    if (!isRead(request)) return refusal(405)
    const file = resolveAppFile(request.url, rendererFolder)
    return file === undefined ? refusal(404) : respond(file)
  })
}

export function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

async function respond(file: string): Promise<Response> {
  const type = MEDIA_TYPES[extname(file)]
  if (type === undefined) return refusal(404)
  try {
    return new Response(await readFile(file), { headers: { ...SECURITY_HEADERS, 'Content-Type': type } })
  } catch {
    return refusal(404)
  }
}

export const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export function refusal(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS })
}
