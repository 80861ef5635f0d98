import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express, Request as HttpRequest, Response as HttpResponse, NextFunction } from 'express'
import * as routes from '../api/gateway-mcp.ts'
import type { McpSignIn } from '../api/mcp-sign-in.ts'
import type { McpErrorKind } from '../api/mcp-states.ts'
import type { GatewayServices } from '../gateway/services.ts'
import { isJsonProblem } from './errors.ts'
import { accessIn, mountGateway } from './gateway-mount.ts'

/** Trying out and signing in as agent servers have it, and the sandbox's own tool servers at one address. */
export function mountGatewayMcp(app: Express, { mcp }: GatewayServices): void {
  mountGateway(app, routes.gatewayTestMcp, async ({ access, body, signal }) => {
    const reply = await mcp.test(access, body, signal)
    if (reply.ok) return { ...reply, oauth_state: null }
    return { ok: false as const, error: `${reply.error} ${reply.next_step}`, error_kind: toErrorKind(reply.error_kind) }
  })
  mountGateway(app, routes.gatewayStartMcpSignIn, async ({ access, body, signal }) => {
    const { ok, job_id, authorization_url, error, error_kind } = toStatus(
      await mcp.signIns(access).start(body.server, signal),
    )
    return { ok, job_id, authorization_url, error, error_kind }
  })
  mountGateway(app, routes.gatewayGetMcpSignIn, ({ access, params }) =>
    toStatus(mcp.signIns(access).get(params.job_id)),
  )
  mountGateway(app, routes.gatewaySubmitMcpSignIn, async ({ access, params, body, signal }) =>
    toStatus(await mcp.signIns(access).submit(params.job_id, body.callback_url, signal)),
  )
  app.all('/mcp', async (request, response) => {
    const answer = await mcp.fetch(toWebRequest(request, response), {
      access: accessIn(response),
      conversationId: request.get('X-OpenHands-ServerConversation-ID') || undefined,
      body: request.body,
    })
    await sendWebResponse(answer, response)
  })
  app.use('/mcp', answerParseError)
}

/** What is no JSON is refused before anybody looks where it goes; here it is answered as JSON-RPC has it. */
function answerParseError(error: unknown, _request: HttpRequest, response: HttpResponse, next: NextFunction): void {
  if (!isJsonProblem(error)) return next(error)
  response
    .status(400)
    .json({ jsonrpc: '2.0', error: { code: PARSE_ERROR, message: 'Parse error: Invalid JSON' }, id: null })
}

/** https://www.jsonrpc.org/specification#error_object */
const PARSE_ERROR = -32700

/** Older clients know three kinds. */
function toErrorKind(kind: McpErrorKind): 'timeout' | 'connection' | 'unknown' {
  if (kind === 'timeout') return 'timeout'
  return kind === 'connection' || kind === 'sign_in' || kind === 'authorization' ? 'connection' : 'unknown'
}

function toStatus({ job_id, status, authorization_url, error }: McpSignIn) {
  return {
    ok: status !== 'failed',
    job_id,
    status,
    authorization_url,
    callback_ready: status === 'authorizing',
    error,
    error_kind: status === 'failed' ? ('unknown' as const) : null,
    oauth_state: null,
    tools: null,
    tool_result: null,
  }
}

/** Without its body, which was read already, and without the key. */
function toWebRequest(request: HttpRequest, response: HttpResponse): Request {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'authorization' && name !== 'x-session-api-key' && typeof value === 'string') headers.set(name, value)
  }
  return new Request(`http://127.0.0.1${request.originalUrl}`, { method: request.method, headers, signal: gone.signal })
}

async function sendWebResponse(answer: Response, response: HttpResponse): Promise<void> {
  response.status(answer.status)
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  if (!answer.body) return void response.end()
  // A reply that has begun can only be cut off.
  await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => response.destroy())
}
