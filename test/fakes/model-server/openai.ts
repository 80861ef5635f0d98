import { type Answer, callsOf, pieces, type StatusFault, type Turn, usageOf, type Wire } from './turn.ts'

/** Chat Completions, with the `reasoning_content` field of the servers that show their thinking. */
export const openai: Wire = {
  frames,
  whole,
  error,
  refused: (_status, message) => errorBody(message, 'invalid_request_error', null),
  errorFrame: frame(errorBody('Overloaded', 'server_error', null)),
}

function frames(turn: Turn, answer: Answer): string[] {
  const deltas: object[] = [{ role: 'assistant', content: '' }, ...(turn.extra ?? [])]
  for (const piece of pieces(turn.reasoning)) deltas.push({ reasoning_content: piece })
  for (const piece of pieces(turn.text)) deltas.push({ content: piece })
  for (const [index, call] of callsOf(turn, answer).entries()) {
    deltas.push({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    })
    for (const piece of pieces(call.arguments)) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  const chunk = (choices: object[], rest: object = {}) =>
    frame({ id: answer.id, object: 'chat.completion.chunk', created: 1, model: answer.model, choices, ...rest })
  return [
    ...deltas.map(delta => chunk([{ index: 0, delta, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: finishReason(turn) }]),
    chunk([], { usage: wireUsage(turn) }),
    'data: [DONE]\n\n',
  ]
}

function whole(turn: Turn, answer: Answer): unknown {
  const calls = callsOf(turn, answer).map(({ id, ...call }) => ({ id, type: 'function', function: call }))
  const message = {
    role: 'assistant',
    content: turn.text ?? null,
    ...(turn.reasoning && { reasoning_content: turn.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const choices = [{ index: 0, message, finish_reason: finishReason(turn) }]
  return { id: answer.id, object: 'chat.completion', created: 1, model: answer.model, choices, usage: wireUsage(turn) }
}

function finishReason(turn: Turn): string {
  if (turn.finish) return turn.finish.replace('-', '_')
  return turn.toolCalls?.length ? 'tool_calls' : 'stop'
}

function wireUsage(turn: Turn): object {
  const usage = usageOf(turn)
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

function error(fault: StatusFault, { model, key }: { model: string; key: string }): { status: number; body: unknown } {
  const invalid = 'invalid_request_error'
  switch (fault) {
    case 'authentication':
      return { status: 401, body: errorBody(`Incorrect API key provided: ${key}.`, invalid, 'invalid_api_key') }
    case 'forbidden':
      return { status: 403, body: errorBody('Your project may not use this endpoint.', invalid, null) }
    case 'no-credit':
      return { status: 429, body: errorBody('You exceeded your quota.', 'insufficient_quota', 'insufficient_quota') }
    case 'payment-required':
      return { status: 402, body: errorBody('Insufficient Balance', 'unknown_error', invalid) }
    case 'unknown-model':
      return { status: 404, body: errorBody(`The model ${model} does not exist.`, invalid, 'model_not_found') }
    case 'rate-limit':
      return { status: 429, body: errorBody('Rate limit reached.', 'requests', 'rate_limit_exceeded') }
    case 'server-error':
      return { status: 500, body: errorBody('The server had an error.', 'server_error', null) }
    case 'overloaded':
      return { status: 503, body: errorBody('The engine is overloaded.', 'server_error', null) }
    case 'context-overflow':
      return {
        status: 400,
        body: errorBody("This model's maximum context length is 8192 tokens.", invalid, 'context_length_exceeded'),
      }
    case 'content-policy':
      return { status: 400, body: errorBody('Refused.', 'image_generation_user_error', 'content_policy_violation') }
    case 'bad-request':
      return { status: 400, body: errorBody('Unsupported parameter: temperature.', invalid, 'unsupported_parameter') }
    case 'html':
      return { status: 502, body: '<html><title>502 Bad Gateway</title></html>' }
  }
}

function errorBody(message: string, type: string, code: string | null): object {
  return { error: { message, type, param: null, code } }
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
