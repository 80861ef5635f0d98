/** What sandboxes can reach: the internet, the hosts of a list, or nothing. */
export const SANDBOX_NETWORKS = ['full', 'allowlist', 'none'] as const
export type SandboxNetwork = (typeof SANDBOX_NETWORKS)[number]

/** Groups of hosts that one seldom wants to type. */
export const ALLOWLIST_PRESETS = ['packages', 'code', 'documentation'] as const
export type AllowlistPreset = (typeof ALLOWLIST_PRESETS)[number]

/** What a sandbox may reach whose network is `allowlist`. */
export interface Allowlist {
  presets: readonly AllowlistPreset[]
  /** As `parseAllowedName` reads them. */
  hosts: readonly string[]
}

export interface NetworkPolicy {
  network: SandboxNetwork
  /** Without effect where the network is another one. */
  allowlist: Allowlist
}

export const EMPTY_ALLOWLIST: Allowlist = { presets: [], hosts: [] }

/** @param value of JSON; what is not understood of it allows nothing */
export function readAllowlist(value: unknown): Allowlist {
  const { presets, hosts } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return {
    presets: ALLOWLIST_PRESETS.filter(preset => Array.isArray(presets) && presets.includes(preset)),
    hosts: Array.isArray(hosts) ? hosts.filter(host => typeof host === 'string') : [],
  }
}

export const PRESET_HOSTS: Readonly<Record<AllowlistPreset, readonly string[]>> = {
  packages: [
    'registry.npmjs.org',
    'registry.yarnpkg.com',
    'nodejs.org',
    'pypi.org',
    'files.pythonhosted.org',
    'conda.anaconda.org',
    'repo.anaconda.com',
    'crates.io',
    'index.crates.io',
    'static.crates.io',
    'static.rust-lang.org',
    'proxy.golang.org',
    'sum.golang.org',
    'rubygems.org',
    'index.rubygems.org',
    'repo.maven.apache.org',
    'repo1.maven.org',
    'plugins.gradle.org',
    'services.gradle.org',
    'api.nuget.org',
    'repo.packagist.org',
    'packagist.org',
    'repo.hex.pm',
    'hex.pm',
    'pub.dev',
    'deb.debian.org',
    'security.debian.org',
    'archive.ubuntu.com',
    'security.ubuntu.com',
    'ports.ubuntu.com',
    'dl-cdn.alpinelinux.org',
  ],
  code: [
    'github.com',
    'github.com:22',
    'api.github.com',
    'codeload.github.com',
    '*.githubusercontent.com',
    'gitlab.com',
    'gitlab.com:22',
    'bitbucket.org',
    'bitbucket.org:22',
    'api.bitbucket.org',
    'codeberg.org',
    'codeberg.org:22',
  ],
  documentation: [
    'developer.mozilla.org',
    'docs.python.org',
    'docs.rs',
    'doc.rust-lang.org',
    'pkg.go.dev',
    'go.dev',
    'nodejs.org',
    'react.dev',
    'www.typescriptlang.org',
    'docs.github.com',
    'docs.gitlab.com',
    'docs.docker.com',
    'kubernetes.io',
    'learn.microsoft.com',
    'docs.oracle.com',
    'www.postgresql.org',
    'sqlite.org',
    'www.sqlite.org',
    'git-scm.com',
    'man7.org',
    'www.rfc-editor.org',
    'devdocs.io',
    'stackoverflow.com',
    '*.readthedocs.io',
  ],
}

export interface AllowedName {
  /** In lower case, in the form of DNS (punycode), an address without brackets. */
  name: string
  /** Every name below it, and not itself: `*.example.com`. */
  isBelow: boolean
  isAddress: boolean
  /** null: whatever port HTTP or TLS is spoken at, as both say which host is meant. */
  port: number | null
}

export type AllowedNameProblem =
  | { problem: 'shape' | 'port' | 'address' | 'localhost' }
  /** Names below `name`, which are nearly everything. */
  | { problem: 'wide'; name: string }

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const MAX_NAME = 253

/**
 * `example.com`, `*.example.com`, `203.0.113.7` or `[2001:db8::7]`, each with `:port` or without.
 * @returns why it is no such text otherwise
 */
export function parseAllowedName(text: string): AllowedName | AllowedNameProblem {
  const trimmed = text.trim()
  if (!trimmed || /[\s/?#@\\%]/.test(trimmed)) return { problem: 'shape' }
  const isBelow = trimmed.startsWith('*.')
  const url = `http://${isBelow ? trimmed.slice(2) : trimmed}`
  const port = /^[^:]*:(\d+)$/.exec(trimmed.replace(/^\[.*\]/, ''))?.[1]
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return { problem: 'port' }
  if (!URL.canParse(url)) return { problem: 'shape' }
  const name = new URL(url).hostname.replace(/\.$/, '')
  const isAddress = name.startsWith('[') || /^\d+(\.\d+){3}$/.test(name)
  if (isAddress && isBelow) return { problem: 'address' }
  if (!isAddress && (name.length > MAX_NAME || !name.split('.').every(label => LABEL.test(label))))
    return { problem: 'shape' }
  if (name === 'localhost' || name.endsWith('.localhost')) return { problem: 'localhost' }
  if (isBelow && !name.includes('.')) return { problem: 'wide', name }
  return { name: name.replace(/^\[|\]$/g, ''), isBelow, isAddress, port: port === undefined ? null : Number(port) }
}

/** A host as it stands before a port. */
export function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** As `parseAllowedName` reads it. */
export function nameText({ name, isBelow, port }: AllowedName): string {
  return `${isBelow ? '*.' : ''}${hostText(name)}${port === null ? '' : `:${port}`}`
}

/** Those of the presets and one's own, each once. What cannot be read any more allows nothing. */
export function allowedNames({ presets, hosts }: Allowlist): AllowedName[] {
  const texts = new Set([...presets.flatMap(preset => PRESET_HOSTS[preset] ?? []), ...hosts])
  return [...texts].flatMap(text => {
    const read = parseAllowedName(text)
    return 'problem' in read ? [] : [read]
  })
}

/** Ports of SSH and of git's own protocol, at which nobody speaks HTTP or TLS. */
const OTHER_PROTOCOLS = new Set([22, 9418])

/** @param host a name in lower case, or an address without brackets */
export function isAllowedName(names: readonly AllowedName[], host: string, port: number): boolean {
  return names.some(
    each =>
      (each.port ?? (OTHER_PROTOCOLS.has(port) ? null : port)) === port &&
      (each.isBelow ? host.endsWith(`.${each.name}`) : host === each.name),
  )
}
