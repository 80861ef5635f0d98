import { type Answer, callsOf, pieces, type StatusFault, type Turn, usageOf, type Wire } from './turn.ts'

/** `generateContent` and `streamGenerateContent?alt=sse` of the Gemini API. */
export const gemini: Wire = {
  frames,
  whole,
  error,
  refused: (code, message) => ({ error: { code, message, status: 'INVALID_ARGUMENT', details: [] } }),
  errorFrame: frame({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
}

type Part = Record<string, unknown>

function frames(turn: Turn, answer: Answer): string[] {
  const chunk = (parts: Part[], rest: object = {}) =>
    frame({ ...envelope(answer), candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }] })
  const parts = [
    ...pieces(turn.reasoning).map(text => ({ text, thought: true })),
    ...pieces(turn.text).map(text => ({ text })),
    ...callParts(turn, answer),
  ]
  const last = frame({
    ...envelope(answer),
    candidates: [{ content: { role: 'model', parts: [] }, index: 0, finishReason: finishReason(turn) }],
    usageMetadata: wireUsage(turn),
  })
  return [...parts.map(part => chunk([part])), last]
}

function whole(turn: Turn, answer: Answer): unknown {
  const parts = [
    ...(turn.reasoning ? [{ text: turn.reasoning, thought: true }] : []),
    ...(turn.text ? [{ text: turn.text }] : []),
    ...callParts(turn, answer),
  ]
  const candidates = [{ content: { role: 'model', parts }, index: 0, finishReason: finishReason(turn) }]
  return { ...envelope(answer), candidates, usageMetadata: wireUsage(turn) }
}

function envelope(answer: Answer): object {
  return { responseId: answer.id, modelVersion: answer.model }
}

/** Only the first of parallel calls carries the signature, as Gemini 3 does it. */
function callParts(turn: Turn, answer: Answer): Part[] {
  return callsOf(turn, answer).map((call, index) => ({
    functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) },
    ...(turn.signature && index === 0 && { thoughtSignature: turn.signature }),
  }))
}

function finishReason(turn: Turn): string {
  if (turn.finish) return turn.finish === 'length' ? 'MAX_TOKENS' : 'SAFETY'
  return 'STOP'
}

function wireUsage(turn: Turn): object {
  const usage = usageOf(turn)
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    cachedContentTokenCount: usage.cacheRead,
    totalTokenCount: usage.input + usage.output,
  }
}

const ERRORS: Record<Exclude<StatusFault, 'html'>, [code: number, status: string, message: string]> = {
  authentication: [400, 'INVALID_ARGUMENT', 'API key not valid: KEY. Please pass a valid API key.'],
  forbidden: [403, 'PERMISSION_DENIED', 'The caller does not have permission.'],
  'no-credit': [429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'],
  'payment-required': [402, 'FAILED_PRECONDITION', 'Billing is not enabled.'],
  'unknown-model': [404, 'NOT_FOUND', 'models/MODEL is not found for API version v1beta.'],
  'rate-limit': [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.'],
  'server-error': [500, 'INTERNAL', 'An internal error has occurred.'],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded.'],
  'context-overflow': [
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  'content-policy': [400, 'INVALID_ARGUMENT', 'The request was blocked by a safety policy.'],
  'bad-request': [400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.'],
}

function error(fault: StatusFault, context: { model: string; key: string }): { status: number; body: unknown } {
  if (fault === 'html') return { status: 502, body: '<html><title>502 Bad Gateway</title></html>' }
  const [code, status, template] = ERRORS[fault]
  const message = template.replace('KEY', context.key).replace('MODEL', context.model)
  return { status: code, body: { error: { code, message, status, details: details(fault) } } }
}

function details(fault: StatusFault): object[] {
  const type = 'type.googleapis.com/google.rpc'
  if (fault === 'authentication') return [{ '@type': `${type}.ErrorInfo`, reason: 'API_KEY_INVALID' }]
  if (fault === 'rate-limit') return [{ '@type': `${type}.RetryInfo`, retryDelay: '0.02s' }]
  return []
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
