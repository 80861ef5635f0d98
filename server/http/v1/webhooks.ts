import type { Express, Request, Response } from 'express'
import { accessOf } from '../../agent-server/access.ts'
import * as routes from '../../api/v1/system/webhooks.ts'
import type { ReportedConversations } from '../../conversation/reported/conversations.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { LocalApiKey } from '../../secret/api-key.ts'
import { sandboxKey } from '../../secret/sandbox-key.ts'
import type { SandboxSecrets } from '../../secret/sandbox-secrets.ts'
import { keysOf } from '../core/guard.ts'
import { jsonBody } from '../core/json-body.ts'
import type { RequestGate } from '../core/request-gate.ts'
import { type AnyRoute, type Call, expressPath, readCall } from '../mount/mount.ts'

export interface WebhookServices {
  gate: RequestGate
  reported: ReportedConversations
  sandboxSecrets: SandboxSecrets
  sandboxes: Pick<SandboxService, 'search'>
  apiKey: LocalApiKey
}

const OK = { success: true }

/** What agent servers elsewhere report, and ask for. Each holds the key of its sandbox; see `api/webhooks`. */
export function mountWebhooks(app: Express, services: WebhookServices): void {
  const { reported, sandboxSecrets } = services
  const json = jsonBody({ type: () => true })
  const mount = <R extends AnyRoute>(route: R, handler: (call: Call<R>, sandboxId: string) => unknown) => {
    const admit = async (request: Request, response: Response, next: () => void) => {
      for (const key of keysOf(request)) {
        const sandboxId = await sandboxOf(key, request, services)
        if (sandboxId === undefined) continue
        services.gate.welcome(request, key)
        Object.assign(response.locals, { key, sandboxId })
        return next()
      }
      refuse(response)
    }
    app[route.method](expressPath(route.path), admit, json, async (request, response) => {
      const { sandboxId } = response.locals as { sandboxId: string }
      const reply = route.reply.parse(await handler(readCall(route, request, response), sandboxId))
      response.status(route.status)
      if (route.media?.reply) response.type(route.media.reply).send(reply)
      else response.json(reply)
    })
  }
  for (const route of [routes.reportConversation, routes.reportConversationOfSandbox]) {
    mount(route, ({ body }, sandboxId) => {
      reported.report(sandboxId, body)
      return OK
    })
  }
  for (const route of [routes.reportEvents, routes.reportEventsOfSandbox]) {
    mount(route, async ({ params, body, signal }, sandboxId) => {
      await reported.record(sandboxId, params.conversation_id, body, signal)
      return OK
    })
  }
  mount(routes.listSandboxSecrets, (_call, sandboxId) => ({
    secrets: sandboxSecrets.list(sandboxId).map(({ variable, description }) => ({ name: variable, description })),
  }))
  mount(routes.getSandboxSecret, async ({ params: { secret_name } }, sandboxId) => {
    const value = await sandboxSecrets.valueOf(sandboxId, secret_name)
    if (value === undefined)
      throw new AppError(
        'secret_not_found',
        'No conversation of this sandbox uses such a secret. Give it to the conversation, then ask again.',
      )
    return value
  })
}

/** The sandbox whose key it is, which a sandbox in the path has to be. */
async function sandboxOf(
  key: string,
  request: Request,
  { sandboxes, apiKey }: WebhookServices,
): Promise<string | undefined> {
  const access = await accessOf(key, sandboxes, id => sandboxKey(apiKey.current(), id))
  if (access?.kind !== 'sandbox') return undefined
  const named = request.params.sandbox_id
  return named === undefined || named === access.sandboxId ? access.sandboxId : undefined
}

function refuse(response: Response): void {
  response.status(401).json({ detail: 'Unauthorized', code: 'unauthorized' })
}
