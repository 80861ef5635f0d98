import { extname, join, normalize, sep } from 'node:path'
import { isAppAddress } from './addresses.ts'

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

/** What the app's folder may hold; anything else in it is not served. */
export const MEDIA_TYPES: Record<string, string> = {
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
