import type { Express } from 'express'
import { type Guard, keyIn, requireKey } from './core/guard.ts'
import { jsonBody } from './core/json-body.ts'
import { mayBeJson } from './core/requests.ts'
import { answerParseError, sendWebResponse, toWebRequest } from './mcp-exchange.ts'

/** Who calls: where this port is, the key that was shown, and the body, parsed. */
export interface TaskCaller {
  url: string
  key: string
  body: unknown
}

/** Tools for other agents. */
export interface TaskTools {
  fetch(request: Request, caller: TaskCaller): Promise<Response>
}

/** The Model Context Protocol at the app's port. What a tool does is asked for with the caller's own key. */
export function mountTasksMcp(app: Express, options: { guard: Guard; tools: TaskTools; url: () => string }): void {
  const { guard, tools, url } = options
  app.use(
    '/mcp',
    requireKey(guard, () => false),
    jsonBody({ type: mayBeJson }),
  )
  app.all('/mcp', async (request, response) => {
    const caller = { url: url(), key: keyIn(response) ?? '', body: request.body }
    await sendWebResponse(await tools.fetch(toWebRequest(request, response), caller), response)
  })
  app.use('/mcp', answerParseError)
}
