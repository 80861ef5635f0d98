import {
  type AuthProvider,
  type CallToolResult,
  Client,
  SSEClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client'
import type { McpServer } from '../../api/v1/settings/mcp-servers.ts'
import { timeLimit } from '../../async/time-limit.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Admission } from '../admission.ts'
import { listedTools } from '../listed-tools.ts'
import { failure, type McpFailure } from '../problem.ts'
import { toFailure } from './failures.ts'
import { HttpTransport } from './http-transport.ts'
import { SandboxTransport } from './sandbox-transport.ts'
import type { ServerLog } from './server-log.ts'

export interface Connection {
  /** @throws McpFailure */
  listTools(signal: AbortSignal): Promise<Tool[]>
  /** @throws McpFailure, or the signal's reason */
  call(name: string, given: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
  close(): Promise<void>
}

export interface CallOptions {
  signal: AbortSignal
  timeoutMs: number
  onProgress: (message: string) => void
}

export interface ConnectOptions {
  server: McpServer
  fetch: typeof globalThis.fetch
  version: string
  sandbox: () => Promise<SandboxHandle>
  /** Of a command in the sandbox. */
  admission: Admission | null
  log: ServerLog
  /** Tokens of whoever signed in at an address. */
  authFor: (url: string) => AuthProvider
  timeoutMs: number
  signal: AbortSignal
  onToolsChanged: () => void
  /** Not called after `close`. */
  onLost: (why: McpFailure) => void
}

const LIST_TIMEOUT_MS = 30_000
const MAX_CALL_MS = 3_600_000

/** Connects and shakes hands. What was opened is closed again when that fails. @throws McpFailure */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { server, log, timeoutMs } = options
  const transport = transportTo(options)
  const client = newClient(options)
  let closing = false
  client.onerror = error => log.add(`! ${error.message}`)
  const late = timeLimit(timeoutMs)
  const signal = AbortSignal.any([options.signal, late])
  const exitCode = () => (transport instanceof SandboxTransport ? transport.exitCode : undefined)
  const close = async () => {
    closing = true
    if (transport instanceof HttpTransport) await endSession(transport)
    await transport.close().catch(() => {})
    await client.close().catch(() => {})
  }
  try {
    await orAborted(client.connect(transport, { signal, timeout: timeoutMs }), signal)
  } catch (error) {
    await close()
    options.signal.throwIfAborted()
    throw late.aborted
      ? failure('timeout', `It did not start within ${timeoutMs / 1000} seconds.`, error)
      : toFailure(error, server, exitCode())
  }
  client.onclose = () => {
    if (closing) return
    const code = exitCode()
    options.onLost(
      code === undefined ? failure('crashed', 'It closed the connection.') : toFailure(undefined, server, code),
    )
  }
  return {
    listTools: signal => listTools(client, options, signal),
    call: (name, given, call) => callTool(client, { server, name, given, ...call }),
    close,
  }
}

function newClient({ server, version, onToolsChanged }: ConnectOptions): Client {
  const client = new Client(
    { name: 'atelier', version },
    {
      capabilities: {},
      // Results go to a model, not to code: they need no compiled schema, least of all one of a stranger.
      jsonSchemaValidator: {
        getValidator: () => input => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
      ...(server.transport === 'http' && { versionNegotiation: { mode: 'auto' } }),
      listChanged: { tools: { autoRefresh: false, debounceMs: 100, onChanged: onToolsChanged } },
    },
  )
  // Also of servers that did not announce that their list may change.
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged)
  return client
}

function transportTo({ server, fetch, sandbox, admission, log, authFor }: ConnectOptions): Transport {
  if (server.transport === 'stdio') return new SandboxTransport(sandbox, { guard: [], ...server, ...admission }, log)
  const url = new URL(server.url.replace(/^ws/i, 'http'))
  const headers = { ...server.headers, ...authHeaders(server) }
  if (!areSendable(headers))
    throw failure('authorization', 'Its key or a header has characters that HTTP cannot carry.')
  const signsIn = server.auth.strategy === 'oauth2' || (server.auth.strategy === 'none' && !hasAuthorization(headers))
  const options = {
    requestInit: { headers },
    fetch,
    redirectPolicy: 'same-origin',
    ...(signsIn && { authProvider: authFor(server.url) }),
  } as const
  return server.transport === 'sse' ? new SSEClientTransport(url, options) : new HttpTransport(url, options)
}

function authHeaders({ auth }: Extract<McpServer, { transport: 'http' | 'sse' }>): Record<string, string> {
  switch (auth.strategy) {
    case 'none':
    case 'oauth2':
      return {}
    case 'api_key':
      return auth.header_name ? { [auth.header_name]: auth.value } : { Authorization: `Bearer ${auth.value}` }
    case 'bearer':
      return { Authorization: `Bearer ${auth.value}` }
    case 'basic':
      return { Authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
    case 'header':
      return auth.headers
  }
}

/** The runtime's own error would repeat them. */
function areSendable(headers: Record<string, string>): boolean {
  try {
    new Headers(headers)
    return true
  } catch {
    return false
  }
}

function hasAuthorization(headers: Record<string, string>): boolean {
  return Object.keys(headers).some(name => name.toLowerCase() === 'authorization')
}

async function listTools(client: Client, { server, log }: ConnectOptions, signal: AbortSignal): Promise<Tool[]> {
  if (!client.getServerCapabilities()?.tools) return []
  try {
    const listed = await client.listTools(undefined, { signal, timeout: LIST_TIMEOUT_MS, cacheMode: 'refresh' })
    const { tools, dropped } = listedTools(listed.tools)
    if (dropped > 0) log.add(`${dropped} of its tools are left out: their names are taken or too long.`)
    return tools
  } catch (error) {
    signal.throwIfAborted()
    throw toFailure(error, server)
  }
}

interface Call extends CallOptions {
  server: McpServer
  name: string
  given: Record<string, unknown>
}

async function callTool(client: Client, call: Call): Promise<CallToolResult> {
  const { server, name, given, signal, timeoutMs, onProgress } = call
  try {
    return await client.callTool(
      { name, arguments: given },
      {
        signal,
        timeout: timeoutMs,
        maxTotalTimeout: Math.max(MAX_CALL_MS, timeoutMs),
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message }) =>
          onProgress([message, total ? `${progress} of ${total}` : undefined].filter(Boolean).join(' · ')),
      },
    )
  } catch (error) {
    signal.throwIfAborted()
    throw toFailure(error, server)
  }
}

/** Polite, and never worth waiting for. */
async function endSession(transport: HttpTransport): Promise<void> {
  if (!transport.sessionId) return
  await orAborted(transport.terminateSession(), timeLimit(500)).catch(() => {})
}

/** What does not look at a signal itself. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
