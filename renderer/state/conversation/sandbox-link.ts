import { isLoopback } from '../../../server/api/loopback.ts'

/** `closed`: a port of the sandbox that cannot be reached from this computer. */
export type LinkTarget =
  | { kind: 'web'; url: string }
  | { kind: 'sandbox'; port: number; path: string }
  | { kind: 'closed'; port: number }

/**
 * Where a link of the agent leads: its localhost is the sandbox. null for what is not a web page.
 * @param isRunning whether the sandbox can be reached
 */
export function linkTarget(href: string, isRunning: boolean): LinkTarget | null {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null
  const { protocol, hostname, port: given, pathname, search, hash } = new URL(href)
  if (!isLoopback(hostname)) return { kind: 'web', url: href }
  const isSecure = protocol === 'https:'
  const port = Number(given || (isSecure ? 443 : 80))
  if (!isRunning || isSecure) return { kind: 'closed', port }
  return { kind: 'sandbox', port, path: `${pathname}${search}${hash}` }
}
