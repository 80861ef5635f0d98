import type { ModelOptions } from '../api/model-options.ts'
import { AppError } from '../domain/errors.ts'
import type { NamedBy } from '../outbound/outbound.ts'
import type { ModelChoice } from './completion.ts'

/** `openai` is Chat Completions, which everybody speaks; `responses` is OpenAI's own newer API. */
type Wire = 'openai' | 'responses' | 'anthropic' | 'google'

/** Who is asked, and in which dialect. */
interface Provider {
  id: string
  /** As people know it. */
  label: string
  wire: Wire
  /** null: only with a base URL of the user's */
  baseUrl: string | null
  /** Appended to a base URL without a path, because people leave it out. */
  versionPath: string
  needsKey: boolean
  /** Its id in the price list. */
  prices: string | null
  /** Wants earlier reasoning back as `reasoning_content`; the strict ones refuse the unknown field. */
  takesReasoning: boolean
}

/** Everything needed to ask: what a ModelChoice means. */
export interface ModelTarget {
  provider: Provider
  wire: Wire
  /** The provider's own name of the model. */
  model: string
  /** The name by which its abilities are looked up: another one where `model` is an alias. */
  known: string
  baseUrl: string
  apiKey: string | null
  namedBy: NamedBy
  /** As `Provider.takesReasoning`, for this model at this address. */
  takesReasoning: boolean
  options: ModelOptions
  headers: Readonly<Record<string, string>>
}

const openaiLike = { wire: 'openai', versionPath: '/v1', needsKey: true, takesReasoning: false } as const
const local = { ...openaiLike, needsKey: false, prices: null, takesReasoning: true } as const

const COMPATIBLE: Provider = { ...local, id: 'openai_compatible', label: 'The model server', baseUrl: null }

const GEMINI: Provider = {
  id: 'gemini',
  label: 'Google',
  wire: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  versionPath: '/v1beta',
  needsKey: true,
  prices: 'google',
  takesReasoning: false,
}

const OLLAMA: Provider = { ...local, id: 'ollama', label: 'Ollama', baseUrl: 'http://localhost:11434/v1' }

/** By the first part of a LiteLLM-style name. Every base URL here is the provider's published one. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { ...openaiLike, id: 'openai', label: 'OpenAI', baseUrl: 'https://api.openai.com/v1', prices: 'openai' },
  anthropic: {
    id: 'anthropic',
    label: 'Anthropic',
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    versionPath: '/v1',
    needsKey: true,
    prices: 'anthropic',
    takesReasoning: false,
  },
  gemini: GEMINI,
  google: GEMINI,
  openrouter: {
    ...openaiLike,
    id: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    versionPath: '/api/v1',
    prices: 'openrouter',
    takesReasoning: true,
  },
  deepseek: {
    ...openaiLike,
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    prices: 'deepseek',
    takesReasoning: true,
  },
  mistral: { ...openaiLike, id: 'mistral', label: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', prices: 'mistral' },
  groq: {
    ...openaiLike,
    id: 'groq',
    label: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    versionPath: '/openai/v1',
    prices: 'groq',
  },
  xai: { ...openaiLike, id: 'xai', label: 'xAI', baseUrl: 'https://api.x.ai/v1', prices: 'x-ai' },
  moonshot: {
    ...openaiLike,
    id: 'moonshot',
    label: 'Moonshot AI',
    baseUrl: 'https://api.moonshot.ai/v1',
    prices: 'moonshotai',
    takesReasoning: true,
  },
  minimax: {
    ...openaiLike,
    id: 'minimax',
    label: 'MiniMax',
    baseUrl: 'https://api.minimax.io/v1',
    prices: 'minimax',
    takesReasoning: true,
  },
  ollama: OLLAMA,
  ollama_chat: OLLAMA,
  lm_studio: { ...local, id: 'lm_studio', label: 'LM Studio', baseUrl: 'http://localhost:1234/v1' },
  litellm_proxy: { ...local, id: 'litellm_proxy', label: 'The LiteLLM proxy', baseUrl: 'http://localhost:4000/v1' },
  hosted_vllm: { ...COMPATIBLE, id: 'hosted_vllm' },
  openai_compatible: COMPATIBLE,
}

/** Providers whose models the price list names, for choosing one. */
export const LISTED_PROVIDERS = [
  'anthropic',
  'openai',
  'gemini',
  'openrouter',
  'deepseek',
  'mistral',
  'groq',
  'xai',
].map(id => ({ id, prices: PROVIDERS[id]?.prices ?? id }))

const BARE_NAMES: readonly [RegExp, string][] = [
  [/^(gpt-|chatgpt-|codex-|o[1-9](-|$))/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'gemini'],
]

/**
 * `provider/model` as LiteLLM names it. A bare name, or one whose first part is no known provider, is a model of the
 * OpenAI-compatible server at the base URL, which keeps the name as it is.
 * @throws AppError `llm_unknown_model` when nothing says whom to ask, `llm_bad_request` for an unusable base URL
 */
export function resolveModel(choice: ModelChoice): ModelTarget {
  const { provider, model } = splitName(choice)
  if (!choice.baseUrl && !provider.baseUrl) {
    throw new AppError(
      'llm_unknown_model',
      `The model "${choice.model}" needs a base URL. Enter the model server's address in Settings › Model.`,
    )
  }
  const baseUrl = choice.baseUrl ? usableUrl(choice.baseUrl, provider) : (provider.baseUrl ?? '')
  const elsewhere = baseUrl !== provider.baseUrl
  const options = choice.options ?? {}
  const known = withoutProvider(options.model_canonical_name ?? model)
  return {
    provider,
    wire: wireOf(provider, options, !elsewhere && REASONS_AT_OPENAI.test(known)),
    model,
    known,
    baseUrl,
    apiKey: choice.apiKey?.trim() || null,
    namedBy: choice.namedBy,
    takesReasoning: provider.takesReasoning || (elsewhere && NEEDS_REASONING_HISTORY.test(known)),
    options,
    headers: choice.headers ?? {},
  }
}

/** @throws AppError llm_bad_request for an API that the provider does not have */
function wireOf({ id, label, wire }: Provider, { api_mode: mode = 'auto' }: ModelOptions, reasons: boolean): Wire {
  if (wire !== 'openai' || mode === 'chat') {
    if (mode !== 'responses') return wire
    throw new AppError('llm_bad_request', `api_mode: ${label} has no Responses API. Leave it out, or choose auto.`)
  }
  return mode === 'responses' || (id === 'openai' && reasons) ? 'responses' : wire
}

function withoutProvider(name: string): string {
  const slash = name.indexOf('/')
  return slash > 0 && PROVIDERS[name.slice(0, slash).toLowerCase()] ? name.slice(slash + 1) : name
}

/** These keep their thinking between two calls, and call tools better, over the Responses API only. */
const REASONS_AT_OPENAI = /^(gpt-(?!5-chat)([5-9]|\d\d)|codex-|o[1-9](-|$))/

/** Behind another server's name too: without their earlier thinking these refuse a history of calls, or get worse. */
const NEEDS_REASONING_HISTORY = /deepseek-(reasoner|v[4-9]|r\d)|kimi|minimax/i

function splitName(choice: ModelChoice): { provider: Provider; model: string } {
  const name = choice.model.trim()
  const slash = name.indexOf('/')
  const known = slash > 0 ? PROVIDERS[name.slice(0, slash).toLowerCase()] : undefined
  if (known && slash < name.length - 1) return { provider: known, model: name.slice(slash + 1) }
  if (choice.baseUrl) return { provider: COMPATIBLE, model: name }
  const guessed = BARE_NAMES.find(([pattern]) => pattern.test(name))?.[1]
  const provider = guessed && PROVIDERS[guessed]
  if (provider) return { provider, model: name }
  throw new AppError(
    'llm_unknown_model',
    `"${name}" does not say whose model it is. Write it as provider/model (for example anthropic/claude-sonnet-4-6), ` +
      'or add the base URL of your model server, in Settings › Model.',
  )
}

/**
 * Accepts what people paste: without the version path, with the whole endpoint, or with the name under which a
 * container reaches this machine (calls are made from the host).
 */
function usableUrl(text: string, provider: Provider): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError(
      'llm_bad_request',
      'The base URL of the model is not an http:// or https:// address. Correct it in Settings › Model.',
    )
  }
  if (url.username || url.password) {
    throw new AppError(
      'llm_bad_request',
      'The base URL of the model carries a user name or password. Put the key into the key field in Settings › Model.',
    )
  }
  if (url.hostname === 'host.docker.internal') url.hostname = 'localhost'
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|messages|responses)$/, '')
  return `${url.origin}${path || provider.versionPath}`
}

/** Whether the server is on this machine or in its own network, where a model has no public price. */
export function isPrivate(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname
  if (host.startsWith('[')) return host === '[::1]' || /^\[f[cd]/.test(host)
  if (/^\d+(\.\d+){3}$/.test(host)) return PRIVATE_IPV4.test(host)
  return !host.includes('.') || /\.(localhost|local|internal|lan|home\.arpa)$/.test(host)
}

/** RFC 1918, loopback and link-local */
const PRIVATE_IPV4 = /^(10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./
