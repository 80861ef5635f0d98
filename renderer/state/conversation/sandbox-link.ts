import { EXPOSED_PORTS } from '../../../server/api/v1/sandbox/exposed-ports.ts'

/** A server in the sandbox: the variable that gave it its port, and its address on this computer. */
export interface SandboxServer {
  readonly name: string
  readonly url: string
}

/** `closed`: a port of the sandbox that cannot be reached from this computer. */
export type LinkTarget =
  | { kind: 'web'; url: string }
  | { kind: 'sandbox'; url: string; port: number }
  | { kind: 'closed'; port: number }

/**
 * Where a link of the agent leads: its localhost is the sandbox. null for what is not a web page.
 * @param servers those of the sandbox while it runs
 */
export function linkTarget(href: string, servers: readonly SandboxServer[]): LinkTarget | null {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null
  const url = new URL(href)
  if (!LOOPBACK.test(url.hostname)) return { kind: 'web', url: href }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const name = Object.entries(EXPOSED_PORTS).find(([, exposed]) => exposed === port)?.[0]
  const server = servers.find(one => one.name === name)
  if (!server) return { kind: 'closed', port }
  url.host = new URL(server.url).host
  return { kind: 'sandbox', url: url.href, port }
}

const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i
