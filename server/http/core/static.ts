import { join } from 'node:path'
import express, { type Express } from 'express'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' ws://127.0.0.1:* ws://localhost:*",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The window's files for a browser. They hold no data, so they need no key. */
export function serveRenderer(app: Express, folder: string): void {
  app.use((_request, response, next) => {
    response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    next()
  })
  app.use('/assets', express.static(join(folder, 'assets'), { immutable: true, maxAge: '30d', redirect: false }))
  app.use(express.static(folder, { index: 'index.html', cacheControl: false, redirect: false }))
}
