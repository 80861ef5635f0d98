import {
  type AllowedNameProblem,
  type AllowlistPreset,
  parseAllowedName,
  type SandboxNetwork,
} from '../../../server/api/network-policy.ts'
import { MAX_HOSTS, type NetworkPolicyInfo } from '../../../server/api/v1/sandbox/network.ts'

/** One change of what a sandbox reaches. */
export type PolicyEdit =
  | { kind: 'network'; network: SandboxNetwork }
  | { kind: 'preset'; preset: AllowlistPreset; isOn: boolean }
  /** `at`: where in the list; at its end without. */
  | { kind: 'add'; hosts: readonly string[]; at?: number }
  | { kind: 'remove'; hosts: readonly string[] }

export const EMPTY_POLICY: NetworkPolicyInfo = { network: 'full', allowlist: { presets: [], hosts: [] } }

export function editedPolicy({ network, allowlist }: NetworkPolicyInfo, edit: PolicyEdit): NetworkPolicyInfo {
  const { presets, hosts } = allowlist
  switch (edit.kind) {
    case 'network':
      return { network: edit.network, allowlist }
    case 'preset': {
      const others = presets.filter(each => each !== edit.preset)
      return { network, allowlist: { presets: edit.isOn ? [...others, edit.preset] : others, hosts } }
    }
    case 'add': {
      const others = hosts.filter(each => !edit.hosts.includes(each))
      const at = edit.at ?? others.length
      return { network, allowlist: { presets, hosts: [...others.slice(0, at), ...edit.hosts, ...others.slice(at)] } }
    }
    case 'remove':
      return { network, allowlist: { presets, hosts: hosts.filter(each => !edit.hosts.includes(each)) } }
  }
}

/** What takes an edit back, whatever else is changed meanwhile. @param before the policy that it was made to */
export function reversed({ network, allowlist }: NetworkPolicyInfo, edit: PolicyEdit): PolicyEdit {
  switch (edit.kind) {
    case 'network':
      return { kind: 'network', network }
    case 'preset':
      return { ...edit, isOn: allowlist.presets.includes(edit.preset) }
    case 'add':
      return { kind: 'remove', hosts: edit.hosts.filter(host => !allowlist.hosts.includes(host)) }
    case 'remove': {
      const hosts = allowlist.hosts.filter(host => edit.hosts.includes(host))
      return { kind: 'add', hosts, at: allowlist.hosts.findIndex(host => edit.hosts.includes(host)) }
    }
  }
}

export type HostProblem = AllowedNameProblem | { problem: 'listed' } | { problem: 'many'; limit: number }

export interface ReadHosts {
  hosts: string[]
  /** What was not understood, as it was typed. */
  refused: { text: string; problem: HostProblem }[]
}

/**
 * The hosts of a typed or pasted text, parted by blanks, commas or lines. Of an address like `https://example.com/page` it is the host.
 * @param listed those that are on the list already
 */
export function readHosts(text: string, listed: readonly string[]): ReadHosts {
  const read: ReadHosts = { hosts: [], refused: [] }
  const known = new Set(listed.map(identity))
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const host = hostOf(word)
    const name = parseAllowedName(host)
    const problem = 'problem' in name ? name : problemAmong(known, host)
    if (problem) read.refused.push({ text: word, problem })
    else {
      known.add(identity(host))
      read.hosts.push(host)
    }
  }
  return read
}

function problemAmong(known: ReadonlySet<string>, host: string): HostProblem | null {
  if (known.has(identity(host))) return { problem: 'listed' }
  return known.size >= MAX_HOSTS ? { problem: 'many', limit: MAX_HOSTS } : null
}

/** The same for two spellings of one name. */
function identity(host: string): string {
  return JSON.stringify(parseAllowedName(host))
}

function hostOf(word: string): string {
  return /^https?:\/\/[^/]/i.test(word) && URL.canParse(word) ? new URL(word).host : word
}
