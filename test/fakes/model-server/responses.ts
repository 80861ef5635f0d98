import { openai } from './openai.ts'
import { type Answer, callsOf, pieces, type Turn, usageOf, type Wire } from './turn.ts'

/** The Responses API, as it is spoken with `store: false`. */
export const responses: Wire = {
  frames,
  whole,
  error: openai.error,
  refused: openai.refused,
  errorFrame: frame({ type: 'error', sequence_number: 9, code: 'server_error', message: 'Overloaded', param: null }),
}

type Item = Record<string, unknown> & { type: string; id: string }

function frames(turn: Turn, answer: Answer): string[] {
  const response = { id: answer.id, object: 'response', created_at: 1, model: answer.model }
  const cut = turn.finish !== undefined
  return [
    frame({ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }),
    ...itemsOf(turn, answer).flatMap((item, index) => itemFrames(item, index)),
    frame({ type: cut ? 'response.incomplete' : 'response.completed', response: { ...response, ...ending(turn) } }),
  ]
}

function whole(turn: Turn, answer: Answer): unknown {
  return {
    id: answer.id,
    object: 'response',
    created_at: 1,
    model: answer.model,
    output: itemsOf(turn, answer),
    ...ending(turn),
  }
}

function itemsOf(turn: Turn, answer: Answer): Item[] {
  const items: Item[] = []
  if (turn.reasoning || turn.signature) {
    items.push({
      type: 'reasoning',
      id: `rs_${answer.id}`,
      summary: turn.reasoning ? [{ type: 'summary_text', text: turn.reasoning }] : [],
      encrypted_content: turn.signature ?? 'encrypted-thinking-of-the-scripted-model',
    })
  }
  if (turn.text) {
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }]
    items.push({ type: 'message', id: `msg_${answer.id}`, role: 'assistant', status: 'completed', content })
  }
  for (const [index, call] of callsOf(turn, answer).entries()) {
    const { id: call_id, name, arguments: given } = call
    items.push({
      type: 'function_call',
      id: `fc_${answer.id}_${index}`,
      call_id,
      name,
      arguments: given,
      status: 'completed',
    })
  }
  return items
}

function itemFrames(item: Item, output_index: number): string[] {
  const begun = {
    message: { content: [] },
    reasoning: { summary: [], encrypted_content: null },
    function_call: { arguments: '' },
  }
  const start = { ...item, ...begun[item.type as keyof typeof begun] }
  return [
    frame({ type: 'response.output_item.added', output_index, item: start }),
    ...deltasOf(item).map(delta => frame({ ...delta, item_id: item.id, output_index })),
    frame({ type: 'response.output_item.done', output_index, item }),
  ]
}

function deltasOf(item: Item): { type: string; [field: string]: unknown }[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  if (item.type === 'function_call') {
    return pieces(text(item.arguments)).map(delta => ({ type: 'response.function_call_arguments.delta', delta }))
  }
  if (item.type === 'message') {
    const [part] = item.content as { text: string }[]
    return pieces(part?.text).map(delta => ({ type: 'response.output_text.delta', content_index: 0, delta }))
  }
  const [summary] = item.summary as { text: string }[]
  if (!summary) return []
  const at = { summary_index: 0 }
  return [
    { type: 'response.reasoning_summary_part.added', ...at },
    ...pieces(summary.text).map(delta => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_part.done', ...at },
  ]
}

function ending(turn: Turn): object {
  const usage = usageOf(turn)
  const reason = turn.finish === 'length' ? 'max_output_tokens' : turn.finish?.replace('-', '_')
  return {
    status: reason ? 'incomplete' : 'completed',
    incomplete_details: reason ? { reason } : null,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cacheRead },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output,
    },
  }
}

function frame(value: { type: string; [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
}
