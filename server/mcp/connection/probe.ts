import type { Content } from '../../api/event/content.ts'
import type { McpServer } from '../../api/v1/settings/mcp-servers.ts'
import type { McpTestReply, McpTestRequest } from '../../api/v1/settings/mcp-states.ts'
import { timeLimit } from '../../async/time-limit.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { ANSWER_LIMITS } from '../../outbound/limits.ts'
import type { NamedBy, Outbound } from '../../outbound/outbound.ts'
import { clipEnd } from '../../text/clip.ts'
import type { Admission, ServerByName } from '../admission.ts'
import { toContent } from '../result.ts'
import type { McpTokens } from '../sign-in/tokens.ts'
import { type Connection, connect } from './connection.ts'
import { toFailure } from './failures.ts'
import { ServerLog } from './server-log.ts'

export interface ProbeOptions {
  version: string
  outbound: Outbound
  namedBy: NamedBy
  tokens: McpTokens
  sandbox: () => Promise<SandboxHandle>
  prepare: (server: McpServer) => Promise<McpServer>
  /** @throws McpFailure when a command may not run */
  admit: (server: ServerByName, sandbox: SandboxHandle, signal: AbortSignal) => Promise<Admission>
  mask: (text: string) => string
  signal: AbortSignal
}

const MAX_TEXT_LENGTH = 10_000

/** Connects to a server as a conversation would, lists its tools, and leaves it again. */
export async function probe(request: McpTestRequest, options: ProbeOptions): Promise<McpTestReply> {
  const { mask, signal } = options
  const log = new ServerLog(mask)
  let connection: Connection | undefined
  try {
    const server = await options.prepare(request.server)
    const admission =
      server.transport === 'stdio' ? await options.admit(request, await options.sandbox(), signal) : null
    connection = await connect({
      server,
      fetch: options.outbound.fetch({ namedBy: options.namedBy, limits: ANSWER_LIMITS.toolServer }),
      version: options.version,
      sandbox: options.sandbox,
      admission,
      log,
      authFor: url => options.tokens.authFor(url),
      timeoutMs: request.timeout * 1000,
      signal,
      onToolsChanged: () => {},
      onLost: () => {},
    })
    const tools = await connection.listTools(AbortSignal.any([signal, timeLimit(request.timeout * 1000)]))
    return {
      ok: true,
      tools: tools.map(({ name }) => name),
      tool_result: await callResult(connection, request, options),
    }
  } catch (error) {
    signal.throwIfAborted()
    const { problem } = toFailure(error, request.server)
    log.flush()
    return { ok: false, ...problem, error: mask(problem.error), log: log.lines() }
  } finally {
    await connection?.close()
  }
}

async function callResult(
  connection: Connection,
  { tool_call, timeout }: McpTestRequest,
  { mask, signal }: ProbeOptions,
) {
  if (!tool_call) return null
  try {
    const options = { signal, timeoutMs: timeout * 1000, onProgress: () => {} }
    const result = await connection.call(tool_call.name, tool_call.arguments, options)
    return { is_error: result.isError === true, text: short(mask(textOf(toContent(result)))) }
  } catch (error) {
    signal.throwIfAborted()
    return { is_error: true, text: short(mask(error instanceof Error ? error.message : String(error))) }
  }
}

function textOf(content: Content[]): string {
  return content.map(part => (part.type === 'text' ? part.text : '[A picture]')).join('\n')
}

function short(text: string): string {
  return clipEnd(text, MAX_TEXT_LENGTH)
}
