import type { Event, EventOf } from '../../../server/api/event/events.ts'
import type { Observation } from '../../../server/api/event/observations.ts'

const START = Date.parse('2026-01-05T10:00:00.000Z')

/** Events of a conversation for tests, numbered from 0, a second apart. */
export class EventLog {
  readonly events: Event[] = []

  user(text: string): EventOf<'MessageEvent'> {
    return this.#add({ kind: 'MessageEvent', ...this.#base('user'), ...messageOf('user', text) })
  }

  agent(text: string): EventOf<'MessageEvent'> {
    return this.#add({ kind: 'MessageEvent', ...this.#base('agent'), ...messageOf('assistant', text) })
  }

  call(action: EventOf<'ActionEvent'>['action'], more: Partial<EventOf<'ActionEvent'>> = {}): EventOf<'ActionEvent'> {
    const id = `call-${this.events.length}`
    const name = action?.kind === 'FileEditorAction' ? 'file_editor' : 'terminal'
    return this.#add({
      kind: 'ActionEvent',
      ...this.#base('agent'),
      tool_name: name,
      tool_call_id: id,
      tool_call: { id, name, arguments: '{}', origin: 'completion' },
      thought: [],
      thinking_blocks: [],
      action,
      llm_response_id: 'answer',
      security_risk: 'UNKNOWN',
      ...more,
    })
  }

  answer(action: EventOf<'ActionEvent'>, observation: Observation): EventOf<'ObservationEvent'> {
    const { tool_name, tool_call_id } = action
    const base = this.#base('environment')
    return this.#add({ kind: 'ObservationEvent', ...base, tool_name, tool_call_id, observation, action_id: action.id })
  }

  fail(action: EventOf<'ActionEvent'>, error: string): EventOf<'AgentErrorEvent'> {
    const { tool_name, tool_call_id } = action
    return this.#add({ kind: 'AgentErrorEvent', ...this.#base('agent'), tool_name, tool_call_id, error })
  }

  reject(action: EventOf<'ActionEvent'>, rejection_reason: string): EventOf<'UserRejectObservation'> {
    const { tool_name, tool_call_id, id: action_id } = action
    const base = this.#base('environment')
    const rejection = { rejection_reason, rejection_source: 'user' as const }
    return this.#add({ kind: 'UserRejectObservation', ...base, tool_name, tool_call_id, action_id, ...rejection })
  }

  state(key: string, value: unknown): EventOf<'ConversationStateUpdateEvent'> {
    return this.#add({ kind: 'ConversationStateUpdateEvent', ...this.#base('environment'), key, value })
  }

  pause(): EventOf<'PauseEvent'> {
    return this.#add({ kind: 'PauseEvent', ...this.#base('user') })
  }

  /** A stop while calls are under way, as the service stores it: an error for each call, and at once the interrupt. */
  stop(...actions: EventOf<'ActionEvent'>[]): EventOf<'InterruptEvent'> {
    const errors = actions.map(action => this.fail(action, 'The agent was stopped.'))
    const event = this.#add({ kind: 'InterruptEvent', ...this.#base('user') })
    for (const error of errors) error.timestamp = event.timestamp
    return event
  }

  run(command: string, output: string, exitCode = 0): void {
    this.answer(this.call(terminal(command)), terminalOutput(command, output, exitCode))
  }

  read(path: string): void {
    this.answer(this.call(view(path)), edited(path, { command: 'view' }))
  }

  #base(source: Event['source']) {
    const seq = this.events.length
    return { id: `event-${seq}`, seq, timestamp: new Date(START + seq * 1000).toISOString(), source }
  }

  #add<E extends Event>(event: E): E {
    this.events.push(event)
    return event
  }
}

function messageOf(role: 'user' | 'assistant', text: string) {
  return {
    llm_message: { role, content: [{ type: 'text' as const, text }] },
    activated_skills: [],
    extended_content: [],
  }
}

export function terminal(command: string) {
  return { kind: 'TerminalAction' as const, command, is_input: false, reset: false }
}

export function view(path: string) {
  return { kind: 'FileEditorAction' as const, command: 'view' as const, path }
}

export function terminalOutput(command: string, output: string, exitCode: number): Observation {
  return {
    kind: 'TerminalObservation',
    content: [{ type: 'text', text: output }],
    is_error: false,
    command,
    exit_code: exitCode,
    timeout: exitCode < 0,
    metadata: { exit_code: exitCode, pid: 1, prefix: '', suffix: '' },
  }
}

export function edited(
  path: string,
  change: Partial<Extract<Observation, { kind: 'FileEditorObservation' }>>,
): Observation {
  return {
    kind: 'FileEditorObservation',
    content: [{ type: 'text', text: 'ok' }],
    is_error: false,
    command: 'str_replace',
    path,
    prev_exist: true,
    ...change,
  }
}
