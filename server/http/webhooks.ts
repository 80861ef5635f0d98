import express, { type Express, type Request, type Response } from 'express'
import * as routes from '../api/webhooks.ts'
import type { ReportedConversations } from '../conversation/reported-conversations.ts'
import { AppError } from '../errors.ts'
import { accessOf } from '../gateway/access.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { LocalApiKey } from '../secret/api-key.ts'
import type { SecretEnvironment } from '../secret/environment.ts'
import { sandboxKey } from '../secret/sandbox-key.ts'
import { keyOf } from './guard.ts'
import { type AnyRoute, type Call, expressPath, readCall } from './mount.ts'

export interface WebhookServices {
  reported: ReportedConversations
  environment: SecretEnvironment
  sandboxes: Pick<SandboxService, 'search'>
  apiKey: LocalApiKey
}

const OK = { success: true }

/** What agent servers elsewhere report, and ask for. Each holds the key of its sandbox; see `api/webhooks`. */
export function mountWebhooks(app: Express, services: WebhookServices, bodyLimit: string): void {
  const { reported, environment } = services
  const json = express.json({ limit: bodyLimit, strict: false, type: () => true })
  const mount = <R extends AnyRoute>(route: R, handler: (call: Call<R>, sandboxId: string) => unknown) => {
    const admit = async (request: Request, response: Response, next: () => void) => {
      const sandboxId = await sandboxOf(request, services)
      if (sandboxId === undefined) return refuse(response)
      response.locals.sandboxId = sandboxId
      next()
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
    mount(route, ({ params, body }, sandboxId) => {
      reported.record(sandboxId, params.conversation_id, body)
      return OK
    })
  }
  mount(routes.listSandboxSecrets, () => ({
    secrets: environment.variables().map(({ variable, description }) => ({ name: variable, description })),
  }))
  mount(routes.getSandboxSecret, async ({ params: { secret_name } }) => {
    const known = environment.variables().some(({ variable }) => variable === secret_name)
    const value = known ? (await environment.forCommand(`$${secret_name}`))[secret_name] : undefined
    if (value === undefined)
      throw new AppError('secret_not_found', 'There is no such secret. It may have been renamed or deleted.')
    return value
  })
}

/** The sandbox whose key was presented, which a sandbox in the path has to be. */
async function sandboxOf(request: Request, { sandboxes, apiKey }: WebhookServices): Promise<string | undefined> {
  const key = keyOf(request)
  const access = key && (await accessOf(key, sandboxes, id => sandboxKey(apiKey.current(), id)))
  if (!access) return undefined
  if (access.kind !== 'sandbox') return undefined
  const named = request.params.sandbox_id
  return named === undefined || named === access.sandboxId ? access.sandboxId : undefined
}

function refuse(response: Response): void {
  response.status(401).json({ detail: 'Unauthorized', code: 'unauthorized' })
}
