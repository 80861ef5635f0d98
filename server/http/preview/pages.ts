import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAppError, messageOf } from '../../domain/errors.ts'
import { PortClosed } from '../../domain/port-closed.ts'

/** What a preview shows in place of the program's own page. */
export interface Notice {
  status: number
  title: string
  text: string
  /** Something may begin to answer: the page asks again by itself. */
  mayCome: boolean
}

export const UNKNOWN: Notice = {
  status: 404,
  title: 'This preview is not known',
  text: 'Its sandbox may be gone, or the key of the API was changed. Open the preview from Atelier again.',
  mayCome: false,
}

export const FOREIGN: Notice = {
  status: 403,
  title: 'Another site may not use this preview',
  text: 'Only pages of the same sandbox may ask for this. Open the address from the address bar instead.',
  mayCome: false,
}

export function noticeOf(error: unknown): Notice {
  if (error instanceof PortClosed) {
    const { host, port } = error.destination
    if (host !== null) {
      return { status: 502, title: `${host} cannot be reached from the sandbox`, text: error.message, mayCome: false }
    }
    const text = `${error.message} Start the program in the sandbox, on port ${port}: this page shows it as soon as it answers.`
    return { status: 502, title: `Nothing answers on port ${port}`, text, mayCome: true }
  }
  if (isAppError(error))
    return { status: error.status, title: 'The sandbox cannot be reached', text: error.message, mayCome: true }
  return { status: 502, title: 'The connection broke off', text: messageOf(error), mayCome: false }
}

const AGAIN_S = 2

export function showNotice(request: IncomingMessage, response: ServerResponse, notice: Notice): void {
  if (response.headersSent) return void response.destroy()
  const isPage = ['document', 'iframe', 'frame'].includes(String(request.headers['sec-fetch-dest']))
  response.writeHead(notice.status, {
    'Content-Type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(isPage && notice.mayCome && request.method === 'GET' && { Refresh: String(AGAIN_S) }),
    Connection: 'close',
  })
  response.end(isPage ? page(notice) : `${notice.title}. ${notice.text}\n`)
}

function page({ title, text }: Notice): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:34em;margin:20vh auto;padding:0 1em}h1{font-size:1.25em}</style>
<h1>${escaped(title)}</h1><p>${escaped(text)}</p></html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
}
