import { z } from 'zod'
import { type McpConfig, mcpConfig } from '../api/v1/settings/mcp.ts'
import { type McpServer, mcpServer, type SandboxServer } from '../api/v1/settings/mcp-servers.ts'
import type { NamedServer } from './connection/running-server.ts'

/** What a conversation has of its own. It carries keys, so it is kept in the vault. */
export const conversationServers = z.object({
  /** In the place of the servers of the settings; null leaves those. */
  config: mcpConfig.nullable(),
  added: z.record(z.string(), mcpServer),
  /** Names of servers of the settings that it does without. */
  removed: z.array(z.string()),
  named_by: z.enum(['person', 'other']).default('person'),
})
export type ConversationServerConfig = z.output<typeof conversationServers>

export const NO_CONVERSATION_SERVERS: ConversationServerConfig = {
  config: null,
  added: {},
  removed: [],
  named_by: 'person',
}

export interface ServerSources {
  settings: McpConfig | null
  kept: ConversationServerConfig
  searchKey: string | null
  /** What skills of the repository bring along, by name. */
  skills?: Record<string, SandboxServer>
}

/** The servers of a conversation in their order, each with a name of its own. */
export function namedServers({ settings, kept, searchKey, skills = {} }: ServerSources): NamedServer[] {
  const namedBy = kept.named_by
  const added = Object.entries(kept.added).map(([name, server]) => ({
    name,
    source: 'added' as const,
    namedBy,
    server,
  }))
  const own = kept.config && listed(kept.config, { source: 'conversation', namedBy })
  const given = own ?? listed(settings, { source: 'settings', namedBy: 'person' })
  const ofSkills = Object.entries(skills).map(([name, server]) => ({
    name,
    source: 'skill' as const,
    namedBy: 'other' as const,
    server,
  }))
  const configured = unique([...given, ...searchServer(searchKey), ...ofSkills])
  const others = configured.filter(({ name }) => !(name in kept.added) && !kept.removed.includes(name))
  return [...others, ...added]
}

function listed(config: McpConfig | null, from: Pick<NamedServer, 'source' | 'namedBy'>): NamedServer[] {
  if (!config) return []
  const stdio = config.stdio_servers.map(({ name, command, args, env }) => ({
    name,
    ...from,
    server: { transport: 'stdio' as const, command, args, env, cwd: null, timeout: null, enabled: true },
  }))
  const http = config.shttp_servers.map(given => ({ ...from, ...onNetwork('http', given) }))
  const sse = config.sse_servers.map(given => ({ ...from, ...onNetwork('sse', given) }))
  return [...stdio, ...http, ...sse]
}

function onNetwork(
  transport: 'http' | 'sse',
  given: {
    url: string
    name?: string | undefined
    api_key?: string | null | undefined
    timeout?: number | null | undefined
  },
): { name: string; server: McpServer } {
  const { url, api_key, timeout } = given
  const auth = api_key ? { strategy: 'bearer' as const, value: api_key } : { strategy: 'none' as const }
  return {
    name: serverName(given),
    server: { transport, url, headers: {}, auth, timeout: timeout ?? null, enabled: true },
  }
}

/** What a server at an address is called before others are looked at. */
export function serverName({ name, url }: { name?: string | undefined; url: string }): string {
  return name ?? nameOf(url)
}

/** `https://mcp.example.com/v1` → `example`. Names of machines of this network stay whole. */
function nameOf(address: string): string {
  const { hostname, port } = new URL(address.replace(/^ws/i, 'http'))
  const parts = hostname.split('.').filter(part => !/^(www|mcp|api)$/i.test(part))
  const isName = /[a-z]/i.test(hostname) && parts.length > 1
  const name = isName ? (parts.at(-2) ?? hostname) : [hostname, port].filter(Boolean).join('_')
  return (
    name
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) || 'server'
  )
}

/** Searches through the provider's own server; the key goes in a header, so that no address carries it. */
function searchServer(key: string | null): NamedServer[] {
  if (!key?.startsWith('tvly-')) return []
  const server: McpServer = {
    transport: 'http',
    url: 'https://mcp.tavily.com/mcp',
    headers: {},
    auth: { strategy: 'bearer', value: key },
    timeout: null,
    enabled: true,
  }
  return [{ name: 'tavily', source: 'search', namedBy: 'person', server }]
}

function unique(servers: NamedServer[]): NamedServer[] {
  const taken = new Set<string>()
  return servers.map(one => {
    let name = one.name
    for (let number = 2; taken.has(name); number++) name = `${one.name}_${number}`
    taken.add(name)
    return { ...one, name }
  })
}
