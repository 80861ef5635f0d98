import type { McpServer } from '../../server/api/v1/settings/mcp-servers.ts'
import type { McpServerState } from '../../server/api/v1/settings/mcp-states.ts'
import { admit } from '../../server/mcp/admission.ts'
import type { NamedServer } from '../../server/mcp/connection/running-server.ts'
import { secretValues } from '../../server/mcp/secret-values.ts'
import { McpSession, type SessionOptions } from '../../server/mcp/session.ts'
import { signInFetch } from '../../server/mcp/sign-in/fetch.ts'
import { McpTokens } from '../../server/mcp/sign-in/tokens.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { createSessionVault } from '../../server/secret/vault/session.ts'
import { withSecrets } from '../../server/tools/mcp.ts'
import { parseCall } from '../../server/tools/registry.ts'
import { outbound } from '../parts/outbound.ts'

export const SCRIPT = '/workspace/mcp-server.py'

export function stdio(name: string, env: Record<string, string> = {}, fields: Partial<McpServer> = {}): NamedServer {
  const server = {
    transport: 'stdio',
    command: 'python3',
    args: [SCRIPT],
    env,
    cwd: null,
    timeout: null,
    enabled: true,
  }
  return { name, source: 'settings', namedBy: 'person', server: { ...server, ...fields } as McpServer }
}

export function onNetwork(name: string, url: string, fields: object = {}): NamedServer {
  const server = { transport: 'http', url, headers: {}, auth: { strategy: 'none' }, timeout: null, enabled: true }
  return { name, source: 'settings', namedBy: 'person', server: { ...server, ...fields } as McpServer }
}

export interface OpenSession {
  session: McpSession
  /** May be changed; it counts at the next `wake`. */
  servers: NamedServer[]
  tokens: McpTokens
  /** Resolves when a server is in that state. */
  until(name: string, wanted: (state: McpServerState) => boolean): Promise<McpServerState>
  /** Calls a tool as the agent does, from what a model wrote. @returns the texts of the answer */
  call(name: string, given?: object, signal?: AbortSignal): Promise<{ text: string; isError: boolean; kinds: string[] }>
}

/** A session with real servers; what a conversation would give it stands here. */
export function openSession(
  servers: NamedServer[],
  options: Partial<SessionOptions> & { secrets?: Record<string, string> } = {},
): OpenSession {
  const mask = createMask(Object.values(options.secrets ?? {}))
  const watchers = new Set<() => void>()
  const vault = createSessionVault({ state: 'ready', reason: null })
  const tokens = new McpTokens({ vault, mask, fetchFor: signInFetch(outbound) })
  const environmentFor = async (text: string) =>
    Object.fromEntries(Object.entries(options.secrets ?? {}).filter(([name]) => text.includes(name)))
  const opened: OpenSession = {
    servers,
    tokens,
    session: new McpSession({
      version: '1',
      outbound,
      sandbox: () => Promise.reject(new Error('There is no sandbox.')),
      authFor: url => tokens.authFor(url),
      mask: mask.mask,
      environmentFor,
      prepare: async ({ server }) => {
        const prepared = await withSecrets(server, environmentFor)
        for (const value of secretValues(prepared)) mask.add(value)
        return prepared
      },
      admit: (named, sandbox, signal) =>
        admit(named, {
          sandbox,
          folder: sandbox.workingDir,
          secrets: Object.keys(options.secrets ?? {}),
          isTrusted: () => false,
          signal,
        }),
      configured: async () => opened.servers,
      idleMs: 60_000,
      onChange: () => {
        for (const watcher of [...watchers]) watcher()
      },
      onProblem: error => {
        throw error
      },
      ...options,
    }),
    until: async (name, wanted) => {
      for (;;) {
        const changed = new Promise<void>(resolve => watchers.add(resolve))
        const state = opened.session.states().find(one => one.name === name)
        if (state && wanted(state)) return state
        await changed
        watchers.clear()
      }
    },
    call: async (name, given = {}, signal = new AbortController().signal) => {
      const understood = parseCall(opened.session.tools(), { name, arguments: JSON.stringify(given) })
      if (understood.kind === 'invalid') return { text: understood.error, isError: true, kinds: ['invalid'] }
      const observation = await understood.tool.run(understood.action, { signal, onOutput: () => {} })
      return {
        text: observation.content.map(part => (part.type === 'text' ? part.text : part.image_urls.join())).join('\n'),
        isError: observation.is_error,
        kinds: observation.content.map(part => part.type),
      }
    },
  }
  return opened
}

export const isReady = (state: McpServerState) => state.state === 'ready'
export const hasFailed = (state: McpServerState) => state.state === 'failed'
