import type { Express } from 'express'
import type { GatewayServices } from '../../agent-server/services.ts'
import * as routes from '../../api/agent-server/mcp.ts'
import type { McpSignIn } from '../../api/v1/settings/mcp-sign-in.ts'
import type { McpErrorKind } from '../../api/v1/settings/mcp-states.ts'
import { answerParseError, sendWebResponse, toWebRequest } from '../mcp-exchange.ts'
import { accessIn, mountGateway } from './mount.ts'

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
