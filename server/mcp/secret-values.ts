import { isCredentialName } from '../api/secret-names.ts'
import type { McpServer } from '../api/v1/settings/mcp-servers.ts'

/** What a server's configuration holds that nobody should read in a log or an answer. */
export function secretValues(server: McpServer): string[] {
  if (server.transport === 'stdio') return [...namedValues(server.env), ...secretArguments(server.args)]
  return [...authValues(server.auth), ...namedValues(server.headers), ...secretsOfUrl(server.url)]
}

/** Whether it is nothing but the name of a secret, with its scheme or without. */
export function isReference(value: string): boolean {
  return /^(?:(?:bearer|basic|token)\s+)?\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)$/i.test(value)
}

/**
 * Names of what a command carries that nobody should read: its variables and options, and secrets that its configuration
 * names as `$NAME`. Empty for one that carries nothing of that kind.
 */
export function secretNames(server: Extract<McpServer, { transport: 'stdio' }>, secrets: readonly string[]): string[] {
  const { command, args, env } = server
  const values = new Set(secretValues(server).filter(value => value !== ''))
  const text = JSON.stringify([command, args, env])
  const named = [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name)
  return [
    ...new Set([
      ...named.filter(name => secrets.includes(name)),
      ...Object.keys(env).filter(name => values.has(env[name] ?? '')),
      ...args.flatMap((word, index) => optionOf(word, args[index - 1] ?? '', values)),
    ]),
  ]
}

/** The option whose value is secret; an argument that is secret by itself has no name. */
function optionOf(word: string, before: string, values: ReadonlySet<string>): string[] {
  const [, option = '', value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? []
  if (value !== undefined) return values.has(value) ? [option] : []
  if (!values.has(word)) return []
  return [/^--?\w/.test(before) ? before : 'an argument']
}

function authValues(auth: Extract<McpServer, { transport: 'http' | 'sse' }>['auth']): string[] {
  switch (auth.strategy) {
    case 'none':
      return []
    case 'api_key':
    case 'bearer':
      return [auth.value]
    case 'basic':
      return [auth.password]
    case 'header':
      return Object.values(auth.headers)
    case 'oauth2':
      return auth.authentication?.client_secret ? [auth.authentication.client_secret] : []
  }
}

function namedValues(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!isCredentialName(name) && !looksRandom(value)) return []
    return [value, value.replace(/^(bearer|basic|token)\s+/i, '')]
  })
}

/** `--api-key VALUE`, `--token=VALUE`, and what looks like a key by itself. */
function secretArguments(args: string[]): string[] {
  return args.flatMap((word, index) => {
    const [, flag = '', value] = /^--?([\w-]+)=(.*)$/s.exec(word) ?? []
    if (value !== undefined) return isCredentialName(flag) || looksRandom(value) ? [value] : []
    const before = args[index - 1] ?? ''
    return (/^--?\w/.test(before) && !before.includes('=') && isCredentialName(before)) || looksRandom(word)
      ? [word]
      : []
  })
}

/** Some services put a key into the address. */
function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return []
  const url = new URL(text)
  const query = [...url.searchParams].filter(([name, value]) => isCredentialName(name) || looksRandom(value))
  return [...query.map(([, value]) => value), url.password, ...url.pathname.split('/').filter(looksRandom)].filter(
    Boolean,
  )
}

/** Long, without spaces or slashes, and with letters and digits: a key rather than a word. */
function looksRandom(text: string): boolean {
  return /^[\w.~+=-]{20,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text) && !/^[\d.]+$/.test(text)
}
