import { allowedNames, hostText, isAllowedName, parseAllowedName } from '../../../server/api/network-policy.ts'
import type { NetworkAttempt, SandboxNetworkInfo } from '../../../server/api/v1/sandbox/network.ts'

/** `allowed-since`: it was refused, and would not be any more. */
export type AttemptState = 'refused' | 'failed' | 'allowed-since' | 'allowed'

export interface AttemptRow {
  key: string
  /** As it is called, with its port; null is an address without a name. */
  host: string | null
  port: number
  count: number
  lastAt: string
  state: AttemptState
  /** What to put on the list for it; null where nothing would help. */
  entry: string | null
  /** What opens it in the settings, for every sandbox, where that would help; null otherwise. */
  privateEntry: string | null
}

const ORDER: readonly AttemptState[] = ['refused', 'failed', 'allowed-since', 'allowed']

/** What programs tried to reach: what needs a person first, and of those the newest. */
export function attemptRows(info: SandboxNetworkInfo, allowedHosts: readonly string[]): AttemptRow[] {
  const names = allowedNames(info.allowlist)
  const rows = info.attempts.map(({ host, port, verdict, reason, count, last_at }): AttemptRow => {
    const isPrivate = reason === 'private' && host !== null
    const isOpened =
      isPrivate && [hostText(host), privateEntryFor(host, port)].some(each => allowedHosts.includes(each))
    const isListed = info.network === 'full' || (host !== null && isAllowedName(names, host, port))
    const isAllowed = isPrivate ? isOpened : isListed
    const state = verdict === 'refused' && isAllowed && info.network !== 'none' ? 'allowed-since' : verdict
    const isRefused = state === 'refused'
    const entry = isRefused && !isPrivate && info.network === 'allowlist' ? entryFor(host, port) : null
    const privateEntry = isRefused && isPrivate && info.network !== 'none' ? privateEntryFor(host, port) : null
    const key = JSON.stringify([host, port, verdict])
    return { key, host, port, count, lastAt: last_at, state, entry, privateEntry }
  })
  return ORDER.flatMap(state => rows.filter(row => row.state === state))
}

/**
 * What allows a host that was refused. A name alone lets HTTP and TLS through, at every port; what is spoken at another port
 * than theirs is not known, so the port goes along. null for what no list can name.
 */
export function entryFor(host: string | null, port: number): string | null {
  if (host === null) return null
  const name = hostText(host)
  const entry = WEB_PORTS.has(port) ? name : `${name}:${port}`
  return 'problem' in parseAllowedName(entry) ? null : entry
}

function privateEntryFor(host: string, port: number): string {
  return port > 0 ? `${hostText(host)}:${port}` : hostText(host)
}

/** 0 is one that is not known. */
const WEB_PORTS: ReadonlySet<number> = new Set([0, 80, 443])

/** `example.com:443`, as it is read aloud and shown. */
export function placeOf({ host, port }: Pick<NetworkAttempt, 'host' | 'port'>): string | null {
  if (host === null) return null
  const name = hostText(host)
  return port > 0 ? `${name}:${port}` : name
}

/**
 * What was refused and has not been noticed, each host once.
 * @param since ISO 8601
 */
export function newRefusals(rows: readonly AttemptRow[], noticed: ReadonlySet<string>, since: string): AttemptRow[] {
  const fresh = new Map<string, AttemptRow>()
  for (const row of rows) {
    const host = row.host ?? ''
    if (row.state === 'refused' && row.lastAt >= since && !noticed.has(host) && !fresh.has(host)) fresh.set(host, row)
  }
  return [...fresh.values()]
}

/** How many hosts are refused as things stand. */
export function refusedCount(rows: readonly AttemptRow[]): number {
  return new Set(rows.filter(({ state }) => state === 'refused').map(({ host }) => host)).size
}
