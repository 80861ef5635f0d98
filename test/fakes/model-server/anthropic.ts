import { type Answer, callsOf, pieces, type StatusFault, type Turn, usageOf, type Wire } from './turn.ts'

/** The Messages API. */
export const anthropic: Wire = {
  frames,
  whole,
  error,
  refused: (_status, message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  errorFrame: frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
}

interface Block {
  start: object
  deltas: object[]
  whole: object
}

function frames(turn: Turn, answer: Answer): string[] {
  const { output_tokens, ...input } = wireUsage(turn)
  const message = { ...envelope(answer), content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } }
  return [
    frame({ type: 'message_start', message }),
    frame({ type: 'ping' }),
    ...blocksOf(turn, answer).flatMap((block, index) => [
      frame({ type: 'content_block_start', index, content_block: block.start }),
      ...block.deltas.map(delta => frame({ type: 'content_block_delta', index, delta })),
      frame({ type: 'content_block_stop', index }),
    ]),
    frame({
      type: 'message_delta',
      delta: { stop_reason: stopReason(turn), stop_sequence: null },
      usage: { output_tokens },
    }),
    frame({ type: 'message_stop' }),
  ]
}

function whole(turn: Turn, answer: Answer): unknown {
  const content = blocksOf(turn, answer).map(block => block.whole)
  return { ...envelope(answer), content, stop_reason: stopReason(turn), stop_sequence: null, usage: wireUsage(turn) }
}

function envelope(answer: Answer): object {
  return { id: answer.id, type: 'message', role: 'assistant', model: answer.model }
}

function blocksOf(turn: Turn, answer: Answer): Block[] {
  const blocks: Block[] = []
  if (turn.reasoning) {
    const signature = turn.signature ?? 'signature-of-the-scripted-model'
    const thinking = pieces(turn.reasoning).map(piece => ({ type: 'thinking_delta', thinking: piece }))
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...thinking, { type: 'signature_delta', signature }],
      whole: { type: 'thinking', thinking: turn.reasoning, signature },
    })
  }
  if (turn.text) {
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: pieces(turn.text).map(text => ({ type: 'text_delta', text })),
      whole: { type: 'text', text: turn.text },
    })
  }
  for (const call of callsOf(turn, answer)) {
    const start = { type: 'tool_use', id: call.id, name: call.name, input: {} }
    blocks.push({
      start,
      deltas: pieces(call.arguments).map(piece => ({ type: 'input_json_delta', partial_json: piece })),
      whole: { ...start, input: parsed(call.arguments) },
    })
  }
  return blocks
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function stopReason(turn: Turn): string {
  if (turn.finish) return turn.finish === 'length' ? 'max_tokens' : 'refusal'
  return turn.toolCalls?.length ? 'tool_use' : 'end_turn'
}

function wireUsage(turn: Turn): { output_tokens: number } {
  const usage = usageOf(turn)
  const fresh = {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  }
  return { ...fresh, output_tokens: usage.output }
}

const ERRORS: Record<Exclude<StatusFault, 'html'>, [status: number, type: string, message: string]> = {
  authentication: [401, 'authentication_error', 'invalid x-api-key: KEY'],
  forbidden: [403, 'permission_error', 'Your API key does not have permission to use the specified resource.'],
  'no-credit': [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
  'payment-required': [402, 'billing_error', 'There is an issue with your billing.'],
  'unknown-model': [404, 'not_found_error', 'model: MODEL'],
  'rate-limit': [429, 'rate_limit_error', 'Number of request tokens has exceeded your per-minute rate limit.'],
  'server-error': [500, 'api_error', 'Internal server error'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  'context-overflow': [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
  'content-policy': [400, 'invalid_request_error', 'Output blocked by content filtering policy'],
  'bad-request': [400, 'invalid_request_error', 'messages.0.role: unexpected value'],
}

function error(fault: StatusFault, context: { model: string; key: string }): { status: number; body: unknown } {
  if (fault === 'html') return { status: 502, body: '<html><title>502 Bad Gateway</title></html>' }
  const [status, type, template] = ERRORS[fault]
  const message = template.replace('KEY', context.key).replace('MODEL', context.model)
  return { status, body: { type: 'error', error: { type, message } } }
}

function frame(value: { type: string; [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
}
