import type { Action } from '../../api/event/actions.ts'
import { hostOf } from '../../text/address-host.ts'
import { clip, type Finding } from './finding.ts'
import { type ClassifiedPath, findingOfRead } from './paths.ts'
import { hostKindOf } from './programs/host.ts'

type PathOf = (path: string) => ClassifiedPath
type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

/** Where the browser stands; null and undefined when nobody knows. */
export type Page = string | null | undefined

/** Secrets are put in their place when a call is carried out. */
const SECRET = /\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)/

export function findingsOfVisit({ url }: Of<'BrowserNavigateAction'>, place: PathOf): Finding[] {
  const address = url.trim()
  const scheme = /^([a-z][\w+.-]*):(?!\d)/i.exec(address)?.[1]?.toLowerCase() ?? 'https'
  if (scheme === 'file') {
    const path = decode(address.replace(/^file:(\/\/[^/]*)?/i, ''))
    const opens = `Opens a file of the sandbox in the browser: ${clip(path)}`
    return [findingOfRead(place(path)) ?? { risk: 'MEDIUM', reason: opens }]
  }
  if (scheme === 'about') return []
  if (scheme !== 'http' && scheme !== 'https')
    return [{ risk: 'MEDIUM', reason: `Opens an address that can run code: ${clip(address)}` }]
  const host = hostOf(address)
  const found = findingsOfHost(host)
  if (!SECRET.test(address) || hostKindOf(host) === 'loopback') return found
  return [{ risk: 'HIGH', reason: `May put a secret into an address of ${clip(host)}` }, ...found]
}

function findingsOfHost(host: string): Finding[] {
  switch (hostKindOf(host)) {
    case 'loopback':
      return []
    case 'metadata':
      return [{ risk: 'HIGH', reason: `Asks the machine's cloud for its credentials: ${host}` }]
    case 'private':
      return [{ risk: 'MEDIUM', reason: `Talks to another machine of the network: ${clip(host)}` }]
    case 'public':
      return [{ risk: 'MEDIUM', reason: `Talks to ${clip(host)}` }]
  }
}

/** A click can send, buy or delete, elsewhere than in the sandbox. */
export function findingsOfClick(page: Page): Finding[] {
  return isOwn(page) ? [] : [{ risk: 'MEDIUM', reason: `Clicks on ${describePage(page)}` }]
}

/** What is typed may be the path of a file that is sent. */
export function findingsOfTyping({ text }: Of<'BrowserTypeAction'>, page: Page, place: PathOf): Finding[] {
  const files = text
    .split('\n')
    .filter(line => /^[~/]/.test(line))
    .flatMap(path => findingOfRead(place(path)) ?? [])
  const types: Finding[] = isOwn(page) ? [] : [{ risk: 'MEDIUM', reason: `Types text into ${describePage(page)}` }]
  if (!SECRET.test(text)) return [...files, ...types]
  return [...files, { risk: isOwn(page) ? 'MEDIUM' : 'HIGH', reason: `May type a secret into ${describePage(page)}` }]
}

/** Also what is set where an agent works on its own pages can log it in elsewhere. */
export function findingsOfStorage({ kind }: Of<'BrowserGetStorageAction' | 'BrowserSetStorageAction'>): Finding[] {
  const does = kind === 'BrowserGetStorageAction' ? 'Reads' : 'Changes'
  return [{ risk: 'MEDIUM', reason: `${does} the browser's cookies and stored data, which can open accounts` }]
}

/** Of the sandbox itself, or empty. */
function isOwn(page: Page): boolean {
  if (!page) return false
  if (/^(about|data):/i.test(page)) return true
  return hostKindOf(hostOf(page)) === 'loopback'
}

function describePage(page: Page): string {
  return page && !isOwn(page) ? `a page of ${clip(hostOf(page))}` : page ? 'a page of the sandbox' : 'a web page'
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
