import type { ErrorCode } from '../api/contract/failures.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import type { NetworkProblem } from '../outbound/problem.ts'
import { collectErrorEvidence, type ErrorEvidence } from './error-evidence.ts'
import type { ModelTarget } from './provider.ts'

/** What went wrong, for people and for the retry. */
export interface Failure {
  error: AppError
  retryable: boolean
  /** Calls in all that are worth it, whatever the usual number is. */
  attempts: number
  /** How long the provider asks to wait. */
  retryAfterMs: number | null
}

type LlmCode = Extract<ErrorCode, `llm_${string}`>

interface Rule {
  code: LlmCode
  retryable: boolean
  applies: (evidence: ErrorEvidence) => boolean
  message: (evidence: ErrorEvidence, target: ModelTarget) => string
}

/**
 * Names anything thrown while a model was asked. The message, the details and the cause never hold the key, a header or
 * the request: the original error does, so only its cleaned text is kept.
 */
export function toFailure(thrown: unknown, target: ModelTarget): Failure {
  if (isAppError(thrown)) return { error: thrown, retryable: false, attempts: 1, retryAfterMs: null }
  const evidence = collectErrorEvidence(thrown, target)
  const rule = RULES.find(candidate => candidate.applies(evidence)) ?? UNKNOWN
  const error = new AppError(rule.code, rule.message(evidence, target), {
    details: {
      provider: target.provider.id,
      model: target.model,
      ...(evidence.status && { status: evidence.status }),
      ...(evidence.codes[0] && { provider_code: evidence.codes[0] }),
      ...(evidence.text && { provider_message: evidence.text }),
    },
    cause: evidence.cleaned,
  })
  const attempts = evidence.fault === 'silent' ? MAX_SILENT_CALLS : Number.POSITIVE_INFINITY
  return { error, retryable: rule.retryable, attempts, retryAfterMs: evidence.retryAfterMs }
}

/** Each attempt takes minutes: the error is shown before all retries are used up. */
const MAX_SILENT_CALLS = 2

const has = (evidence: ErrorEvidence, ...codes: string[]) => codes.some(code => evidence.codes.includes(code))
const refused = ({ status }: ErrorEvidence) => status === undefined || (status >= 400 && status < 500)
const said = ({ text }: ErrorEvidence) => (text ? `: ${text.replace(/[.\s]+$/, '')}.` : '.')
const status = (evidence: ErrorEvidence) => (evidence.status ? ` (${evidence.status})` : '')

/** Existing services say this and nothing else when a conversation no longer fits. */
const TOO_LONG = new RegExp(
  [
    'prompt is too long',
    'input length and `?max_tokens`? exceed context limit',
    'please reduce the length of',
    'exceeds? the available context size',
    'context length exceeded',
    'maximum context length',
    'exceeds? the (model.s )?context window',
    'context window exceeds limit',
    'input token count .*exceeds the maximum',
    'exceed_context_size',
    'greater than the context length',
    'exceeds? (the )?(available |maximum )?context (size|length|window|limit)',
    'prompt (is|was) too long',
    'larger than the maximum context',
    'input is too long',
  ].join('|'),
  'i',
)
/** A result without its call or the reverse, turns out of order, proofs of thinking that do not fit. */
const MALFORMED_HISTORY = new RegExp(
  [
    'tool_use.{0,20}ids? w(as|ere) found without',
    'unexpected .?tool_use_id',
    'each .?tool_use.? (block )?must have',
    'tool_result.{0,60}(corresponding|must)',
    'roles must alternate',
    'thinking.{0,60}(blocks?|signature).{0,80}(cannot be modified|must|invalid)',
    'invalid .?signature',
    'expected .?(thinking|redacted_thinking)',
    'must be followed by tool messages',
    'must be a response to a prece+ding message',
    'tool_call_ids? did not have response',
    'no tool (output|call) found for function',
    "of type '?(reasoning|function_call)'? was provided without",
    'encrypted.?content.{0,80}(verif|decrypt)',
    'invalid_encrypted_content',
    'function call turn comes immediately after',
    'number of function (response|call) parts',
    'missing a .?thought.?signature',
    'not the same number of function calls and responses',
    "unexpected role '",
    'expected last role',
  ].join('|'),
  'i',
)
const NO_SUCH_MODEL =
  /model.{0,80}(not found|does not exist|not exist)|invalid model|not a valid model|no such model|unknown model/i
const NO_CREDIT = /credit balance is too low|credits are depleted|insufficient (balance|credit|funds)|out of credits/i
const WITHHELD = /content (filter|management policy|policy)|safety policy|blocked by .*policy/i

/** The first that applies names the error: what the provider says in codes, then its status, then its words. */
const RULES: readonly Rule[] = [
  {
    code: 'llm_no_credit',
    retryable: false,
    applies: evidence =>
      evidence.status === 402 ||
      has(evidence, 'insufficient_quota', 'billing_error', 'billing_not_active', 'insufficient_balance') ||
      (refused(evidence) && NO_CREDIT.test(evidence.text)),
    message: (evidence, { provider }) =>
      `${provider.label} says that the account has no credit left${status(evidence)}. ` +
      'Add credit there, or choose another model in Settings › Model.',
  },
  {
    code: 'llm_context_exceeded',
    retryable: false,
    applies: evidence =>
      evidence.status === 413 ||
      evidence.fault === 'too-long' ||
      has(evidence, 'context_length_exceeded', 'exceed_context_size_error', 'request_too_large') ||
      (refused(evidence) && TOO_LONG.test(evidence.text)),
    message: (_, { model }) =>
      `The conversation has become longer than ${model} can read. ` +
      'Choose a model with a larger context window, or go on in a new conversation.',
  },
  {
    code: 'llm_history_refused',
    retryable: false,
    applies: evidence => refused(evidence) && evidence.status !== 429 && MALFORMED_HISTORY.test(evidence.text),
    message: (evidence, { provider }) =>
      `${provider.label} did not accept the conversation so far${status(evidence)}${said(evidence)} ` +
      'Sum the conversation up, or go back to an earlier message.',
  },
  {
    code: 'llm_authentication',
    retryable: false,
    applies: evidence =>
      evidence.status === 401 || has(evidence, 'invalid_api_key', 'authentication_error', 'api_key_invalid'),
    message: (evidence, { provider, apiKey }) =>
      apiKey
        ? `The key for ${inSentence(provider.label)} was refused${status(evidence)}. Check it in Settings › Model.`
        : `${provider.label} wants a key and none is set${status(evidence)}. Add it in Settings › Model.`,
  },
  {
    code: 'llm_content_policy',
    retryable: false,
    applies: evidence =>
      evidence.fault === 'blocked' ||
      has(evidence, 'content_policy_violation', 'content_filter') ||
      (refused(evidence) && WITHHELD.test(evidence.text)),
    message: (_, { provider }) =>
      `${provider.label} withheld an answer because of its content policy. Say it in other words, or choose another model.`,
  },
  {
    code: 'llm_unknown_model',
    retryable: false,
    applies: evidence =>
      evidence.status === 404 ||
      has(evidence, 'model_not_found', 'invalid_model') ||
      (refused(evidence) && evidence.status !== 429 && NO_SUCH_MODEL.test(evidence.text)),
    message: unknownModel,
  },
  {
    code: 'llm_authentication',
    retryable: false,
    applies: evidence => evidence.status === 403,
    message: (evidence, { provider, model }) =>
      `${provider.label} does not let this key use ${model} (403)${said(evidence)} ` +
      'Choose another model or another key in Settings › Model.',
  },
  {
    code: 'llm_rate_limited',
    retryable: true,
    applies: evidence =>
      evidence.status === 429 || has(evidence, 'rate_limit_error', 'rate_limit_exceeded', 'resource_exhausted'),
    message: (evidence, { provider }) =>
      `${provider.label} limits how often it may be asked${status(evidence)}${said(evidence)} ` +
      'Wait a little and go on, or choose another model.',
  },
  {
    code: 'llm_failed',
    retryable: true,
    applies: evidence => has(evidence, 'overloaded_error', 'unavailable') || evidence.status === 503,
    message: (evidence, { provider }) =>
      `${provider.label} is overloaded${status(evidence)}. Try again in a while, or choose another model.`,
  },
  {
    code: 'llm_unreachable',
    retryable: false,
    applies: ({ network }) => network !== undefined && network.problem in WRONG_ADDRESS,
    message: ({ network }) => {
      const next = network && WRONG_ADDRESS[network.problem]
      return [network?.message, next].filter(Boolean).join(' ')
    },
  },
  {
    code: 'llm_unreachable',
    retryable: false,
    applies: evidence => evidence.status === 407,
    message: () =>
      'A proxy on the way to the model wants somebody to sign in (407). ' +
      'Check the proxy of this network, or the base URL in Settings › Model.',
  },
  {
    code: 'llm_unreachable',
    retryable: true,
    applies: evidence => evidence.network !== undefined || evidence.fault === 'silent',
    message: unreachable,
  },
  {
    code: 'llm_failed',
    retryable: true,
    applies: evidence => evidence.fault !== undefined,
    message: (evidence, { provider }) => `${provider.label} broke its answer off${said(evidence)} Try again.`,
  },
  {
    code: 'llm_failed',
    retryable: true,
    applies: evidence => evidence.status !== undefined && (evidence.status >= 500 || RETRY_STATUS.has(evidence.status)),
    message: (evidence, { provider }) =>
      `${provider.label} had an error of its own${status(evidence)}${said(evidence)} Try again in a while.`,
  },
  {
    code: 'llm_failed',
    retryable: true,
    applies: evidence => has(evidence, 'server_error', 'api_error', 'internal'),
    message: (evidence, { provider }) =>
      `${provider.label} had an error of its own${said(evidence)} Try again in a while.`,
  },
  {
    code: 'llm_bad_request',
    retryable: false,
    applies: evidence => evidence.status !== undefined && evidence.status >= 400,
    message: (evidence, { provider }) =>
      `${provider.label} did not accept the request${status(evidence)}${said(evidence)} ` +
      'Check the model and the base URL in Settings › Model.',
  },
]

const RETRY_STATUS = new Set([408, 409, 425, 499])

const UNKNOWN: Rule = {
  code: 'llm_failed',
  retryable: false,
  applies: () => true,
  message: (evidence, { provider }) =>
    `Asking ${inSentence(provider.label)} failed${said(evidence)} Try again, or choose another model in Settings › Model.`,
}

function unknownModel(evidence: ErrorEvidence, { provider, model, baseUrl }: ModelTarget): string {
  if (!evidence.structured && evidence.status === 404) {
    return `There is no model service at ${baseUrl} (404). Correct the base URL in Settings › Model; most end in /v1.`
  }
  const pull = provider.id === 'ollama' ? `Run "ollama pull ${model}", or choose` : 'Check the name, or choose'
  return `${provider.label} has no model named "${model}"${status(evidence)}. ${pull} another in Settings › Model.`
}

/** What trying again cannot mend, with what to do about it. */
const WRONG_ADDRESS: Partial<Record<NetworkProblem, string>> = {
  certificate: 'Correct the base URL in Settings › Model, or let this machine trust the certificate.',
  'not-tls': 'Correct the base URL in Settings › Model.',
  'not-http': 'Correct the base URL in Settings › Model.',
  'blocked-port': 'Correct the base URL in Settings › Model.',
  'bad-address': 'Correct the base URL in Settings › Model.',
  redirect: 'Atelier does not send the key there. Put the final address in Settings › Model.',
  'private-host': '',
  'proxy-refused': 'Correct the proxy of this computer, or HTTPS_PROXY.',
}

const NEXT: Partial<Record<NetworkProblem, string>> = {
  refused: 'Start the model server, or correct the base URL in Settings › Model.',
  'unknown-host': 'Check the network connection and the base URL in Settings › Model.',
  timeout: 'Check that it is running and not overloaded, then try again.',
  proxy: 'Check the proxy of this computer, or HTTPS_PROXY and NO_PROXY, then try again.',
}

function unreachable({ network, text }: ErrorEvidence, target: ModelTarget): string {
  if (!network) return `${hostOf(target)}: ${text} Check that it is running, then try again.`
  return `${network.message} ${NEXT[network.problem] ?? 'Check the network connection, then try again.'}`
}

function hostOf({ baseUrl }: ModelTarget): string {
  return new URL(baseUrl).host
}

/** A label that begins with an article, in the middle of a sentence. */
function inSentence(label: string): string {
  return label.replace(/^The /, 'the ')
}
