import type { ModelTarget } from './provider.ts'
import type { RequestProfile } from './request-profile.ts'

type Fetch = typeof globalThis.fetch
type Body = Record<string, unknown>

/** Requests with the headers and the fields that were asked for, which the SDKs have no place for. */
export function withAdditions(send: Fetch, target: ModelTarget, { without }: RequestProfile): Fetch {
  const headers = headersOf(target)
  const change = changeOf(target, !without.has('sampling'))
  if (Object.keys(headers).length === 0 && !change) return send
  return async (url, init) => {
    const sent = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    const body = change && typeof init?.body === 'string' ? JSON.stringify(change(JSON.parse(init.body))) : init?.body
    return send(url, { ...init, headers: sent, ...(body !== undefined && { body }) })
  }
}

/** https://openrouter.ai/docs/app-attribution */
function headersOf({ provider, options, headers }: ModelTarget): Record<string, string> {
  const isRouter = provider.id === 'openrouter'
  const { openrouter_site_url: site, openrouter_app_name: app } = options
  return { ...(isRouter && site && { 'http-referer': site }), ...(isRouter && app && { 'x-title': app }), ...headers }
}

/** null when a body goes out as the SDK writes it. */
function changeOf({ wire, options }: ModelTarget, samples: boolean): ((body: Body) => Body) | null {
  const { litellm_extra_body: extra, top_k } = options
  // Chat Completions has no such parameter, and the servers of open models do.
  const added = { ...(samples && wire === 'openai' && top_k !== undefined && { top_k }), ...extra }
  const keepsThinking = wire !== 'responses' || options.enable_encrypted_reasoning !== false
  if (Object.keys(added).length === 0 && keepsThinking) return null
  return body => ({ ...(keepsThinking ? body : withoutEncrypted(body)), ...added })
}

function withoutEncrypted({ include, ...body }: Body): Body {
  const rest = Array.isArray(include) ? include.filter(name => name !== 'reasoning.encrypted_content') : []
  return rest.length > 0 ? { ...body, include: rest } : body
}
