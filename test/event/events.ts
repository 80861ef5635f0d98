import type { Event, EventOf, NewEvent } from '../../server/api/event/events.ts'

export type Call = EventOf<'ActionEvent'>

/** Makes events as the log would store them, one after the other. */
export function createLog() {
  const events: Event[] = []
  const add = <E extends NewEvent>(event: E): E & Pick<Event, 'id' | 'seq' | 'timestamp'> => {
    const seq = events.length
    const stored = { ...event, id: `e${seq}`, seq, timestamp: '2026-01-01T00:00:00.000Z' }
    events.push(stored as Event)
    return stored
  }
  const message = (source: 'user' | 'agent' | 'environment', text: string) =>
    add({
      kind: 'MessageEvent',
      source,
      llm_message: { role: source === 'agent' ? 'assistant' : 'user', content: [{ type: 'text', text }] },
      activated_skills: [],
      extended_content: [],
    })
  const call = (id: string, answer: string, change: Partial<Call> = {}) =>
    add({
      kind: 'ActionEvent',
      source: 'agent',
      thought: [],
      thinking_blocks: [],
      action: { kind: 'ThinkAction', thought: id },
      tool_name: 'think',
      tool_call_id: id,
      tool_call: { id, name: 'think', arguments: '{}', origin: 'completion' },
      llm_response_id: answer,
      security_risk: 'UNKNOWN',
      ...change,
    })
  const of = ({ tool_name, tool_call_id }: Call) => ({ tool_name, tool_call_id })
  return {
    events,
    add,
    say: (text: string) => message('user', text),
    speak: (text: string) => message('agent', text),
    nudge: (text: string) => message('environment', text),
    call,
    answer: (to: Call, text = 'ok', isError = false) =>
      add({
        kind: 'ObservationEvent',
        source: 'environment',
        ...of(to),
        action_id: to.id,
        observation: { kind: 'ThinkObservation', content: [{ type: 'text', text }], is_error: isError },
      }),
    fail: (to: Call, error = 'It failed.') => add({ kind: 'AgentErrorEvent', source: 'agent', ...of(to), error }),
    reject: (to: Call, by: 'user' | 'hook' = 'user') =>
      add({
        kind: 'UserRejectObservation',
        source: 'environment',
        ...of(to),
        action_id: to.id,
        rejection_reason: 'No.',
        rejection_source: by,
      }),
    state: (key: string, value: unknown) =>
      add({ kind: 'ConversationStateUpdateEvent', source: 'environment', key, value }),
    goTo: (eventId: string | null) =>
      add({ kind: 'ConversationStateUpdateEvent', source: 'user', key: 'leaf_event_id', value: eventId }),
    condense: (forgotten: readonly string[], summary?: string, offset?: number) =>
      add({
        kind: 'Condensation',
        source: 'environment',
        forgotten_event_ids: [...forgotten],
        ...(summary !== undefined && { summary }),
        ...(offset !== undefined && { summary_offset: offset }),
        llm_response_id: 'c',
      }),
  }
}

export type TestLog = ReturnType<typeof createLog>
