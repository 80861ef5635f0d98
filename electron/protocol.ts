import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol, type Session } from 'electron'
import { APP_SCHEME, isAppAddress } from './addresses.ts'

/** Scripts from the app's files only, nothing from elsewhere, and no connection but to the service. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  'connect-src http://127.0.0.1:* ws://127.0.0.1:*',
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

export function serveAppScheme(session: Session, rendererFolder: string): void {
  session.protocol.handle(APP_SCHEME, async request => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405)
    const file = resolveAppFile(request.url, rendererFolder)
    return file === undefined ? refusal(404) : respond(file)
  })
}

/**
 * The file that an `app://atelier/…` address means: a page's address without an extension is `index.html`. Undefined for
 * anything outside the folder, another host and undecodable names.
 */
export function resolveAppFile(address: string, rendererFolder: string): string | undefined {
  if (!isAppAddress(address)) return undefined
  let path: string
  try {
    path = decodeURIComponent(new URL(address).pathname)
  } catch {
    return undefined
  }
  if (/[\0\\]/.test(path)) return undefined
  if (extname(path) === '') return join(rendererFolder, 'index.html')
  const file = normalize(join(rendererFolder, path))
  return file.startsWith(rendererFolder + sep) ? file : undefined
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

const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS })
}
