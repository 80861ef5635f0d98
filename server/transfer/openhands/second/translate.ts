import { LEAF_KEY } from '../../../api/event/branch.ts'
import type { Call } from '../../../api/event/calls.ts'
import { event as anyEvent, type Event, ROLES } from '../../../api/event/events.ts'
import { securityRisk } from '../../../api/v1/conversation/confirmation.ts'
import { contentOf, textsIn } from '../content.ts'
import { type Draft, type TranslatedLog, UNCLASSIFIED } from '../log.ts'
import { statsOf } from '../metrics.ts'
import { promptTools } from '../prompt-tools.ts'
import { type Fields, fieldsOf, given, integerIn, listIn, optionalText, textIn, timeOf } from '../values.ts'
import { toAction, toObservation } from './actions.ts'

/** What only says how the service was doing, or was never more than a part of another event. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'TokenEvent',
  'LLMCompletionLogEvent',
  'StreamingDeltaEvent',
  'CondensationSummaryEvent',
  'ServerErrorEvent',
])

const TOOLS: Readonly<Record<string, string>> = {
  TerminalAction: 'terminal',
  FileEditorAction: 'file_editor',
  TaskTrackerAction: 'task_tracker',
  ThinkAction: 'think',
  FinishAction: 'finish',
}

/** Reads a log of the second generation, whose events have kinds as those of today. */
export class SecondGeneration {
  readonly #log: TranslatedLog
  /** The ids of today by those of then, which are the same but where one was used twice. */
  readonly #ids = new Map<string, string>()
  readonly #calls = new Map<string, Call>()
  #steps = 0

  constructor(log: TranslatedLog) {
    this.#log = log
  }

  add(value: unknown): void {
    const event = fieldsOf(value)
    const id = textIn(event, 'id')
    // The same event in two files is one event.
    if (id !== '' && this.#ids.has(id)) return
    const kind = textIn(event, 'kind')
    if (LEFT_OUT.has(kind)) return
    const source = anyEvent.options[0].shape.source.safeParse(event.source).data ?? 'environment'
    const base = { id, source, timestamp: timeOf(event.timestamp) }
    const draft = this.#draftOf(kind, event, base)
    if (draft === 'nothing') return
    if (draft === 'unknown') {
      const name = /^\w{1,100}$/.test(kind) ? ` of the kind ${kind}` : ''
      return this.#log.addNotice(`OpenHands has an entry${name} here that Atelier does not know.`, base.timestamp)
    }
    const added = this.#log.add(draft)
    if (id !== '') this.#ids.set(id, added.id)
    if (added.kind === 'ActionEvent') this.#addedCall(id, added)
  }

  #addedCall(id: string, call: Call): void {
    this.#steps++
    if (id !== '') this.#calls.set(id, call)
  }

  #draftOf(kind: string, event: Fields, base: Base): Draft | 'nothing' | 'unknown' {
    switch (kind) {
      case 'SystemPromptEvent': {
        const [prompt, dynamic] = [textsIn([event.system_prompt]), textsIn([event.dynamic_context])]
        const system_prompt = prompt[0] ?? { type: 'text', text: '' }
        return {
          kind,
          ...base,
          system_prompt,
          tools: promptTools(event.tools),
          ...given('dynamic_context', dynamic[0]),
        }
      }
      case 'MessageEvent':
        return messageOf(event, base)
      case 'ActionEvent':
        return callOf(event, base)
      case 'ObservationEvent': {
        const call = this.#callOf(event, base)
        const { tool_name, tool_call_id, id: action_id } = call
        const observation = toObservation(event.observation, tool_name)
        return { kind, ...base, tool_name, tool_call_id, action_id, observation }
      }
      case 'UserRejectObservation': {
        const call = this.#callOf(event, base)
        const { tool_name, tool_call_id, id: action_id } = call
        const rejection_reason = textIn(event, 'rejection_reason')
        const rejection_source = event.rejection_source === 'hook' ? 'hook' : 'user'
        return { kind, ...base, tool_name, tool_call_id, action_id, rejection_reason, rejection_source }
      }
      case 'AgentErrorEvent': {
        const tool_call_id = textIn(event, 'tool_call_id')
        return { kind, ...base, tool_name: textIn(event, 'tool_name'), tool_call_id, error: textIn(event, 'error') }
      }
      case 'ConversationErrorEvent': {
        const detail = textIn(event, 'detail') || textIn(event, 'code')
        return { kind, ...base, code: textIn(event, 'code'), detail, classification: UNCLASSIFIED }
      }
      case 'ConversationStateUpdateEvent':
        return this.#stateOf(event, base)
      case 'Condensation':
        return this.#condensationOf(event, base)
      case 'PauseEvent':
      case 'InterruptEvent':
      case 'CondensationRequest':
        return { kind, ...base }
      case 'HookExecutionEvent':
        return this.#hookOf(event, base)
      default:
        return 'unknown'
    }
  }

  /** The call that a result answers; one is made for a result without. */
  #callOf(event: Fields, base: Base): Call {
    const known = this.#calls.get(textIn(event, 'action_id'))
    if (known && this.#log.isOpen(known)) return known
    const { tool_name, tool_call_id } = event
    const made = callOf({ tool_name, tool_call_id, action: null }, { ...base, id: undefined, source: 'environment' })
    return this.#log.add(made) as Call
  }

  #stateOf(event: Fields, base: Base): Draft | 'nothing' {
    const kind = 'ConversationStateUpdateEvent'
    if (event.key === 'stats') return { kind, ...base, key: 'stats', value: statsOf(event.value, this.#steps) }
    if (event.key !== LEAF_KEY) return 'nothing'
    const leaf = typeof event.value === 'string' ? this.#ids.get(event.value) : null
    return leaf === undefined ? 'nothing' : { kind, ...base, key: LEAF_KEY, value: leaf }
  }

  #condensationOf(event: Fields, base: Base): Draft {
    const forgotten = listIn(event, 'forgotten_event_ids').length > 0 ? 'forgotten_event_ids' : 'forgotten_events'
    const offset = integerIn(event, 'summary_offset')
    return {
      kind: 'Condensation',
      ...base,
      forgotten_event_ids: listIn(event, forgotten).flatMap(id => this.#ids.get(String(id)) ?? []),
      ...given('summary', optionalText(event, 'summary')),
      ...given('summary_offset', offset !== undefined && offset >= 0 ? offset : undefined),
      llm_response_id: textIn(event, 'llm_response_id'),
    }
  }

  #hookOf(event: Fields, base: Base): Draft | 'unknown' {
    const named = Object.entries(event).filter(([, value]) => value !== null)
    const whole = { ...Object.fromEntries(named), ...base, id: base.id ?? '', seq: 0, timestamp: EPOCH }
    const { data } = anyEvent.safeParse(whole)
    if (data?.kind !== 'HookExecutionEvent') return 'unknown'
    const { seq: _, ...hook } = data
    return { ...hook, ...base }
  }
}

const EPOCH = '1970-01-01T00:00:00.000Z'

interface Base {
  id: string | undefined
  source: Event['source']
  timestamp: string | undefined
}

function messageOf(event: Fields, base: Base): Draft {
  const message = fieldsOf(event.llm_message)
  const role = ROLES.find(each => each === message.role) ?? (base.source === 'agent' ? 'assistant' : 'user')
  const skills = [...listIn(event, 'activated_skills'), ...listIn(event, 'activated_microagents')]
  return {
    kind: 'MessageEvent',
    ...base,
    llm_message: { role, content: contentOf(message.content) },
    ...given('llm_response_id', optionalText(event, 'llm_response_id')),
    activated_skills: [...new Set(skills.filter(name => typeof name === 'string'))],
    extended_content: textsIn(event.extended_content),
    ...given('sender', optionalText(event, 'sender')),
  }
}

function callOf(event: Fields, base: Base): Draft {
  const given_call = fieldsOf(event.tool_call)
  const described = typeof given_call.function === 'object' ? fieldsOf(given_call.function) : given_call
  const action = event.action === null || event.action === undefined ? null : toAction(event.action)
  const tool_call_id = textIn(event, 'tool_call_id') || textIn(given_call, 'id') || `call_${base.id ?? 'unknown'}`
  const tool_name = (action && TOOLS[action.kind]) ?? (textIn(event, 'tool_name') || 'unknown')
  const { kind: _, ...parameters } = action ?? { kind: '' }
  const text = optionalText(described, 'arguments')
  return {
    kind: 'ActionEvent',
    ...base,
    tool_name,
    tool_call_id,
    thought: textsIn(event.thought),
    ...given('reasoning_content', optionalText(event, 'reasoning_content')),
    // Signatures are good for the account that they were made for.
    thinking_blocks: [],
    action,
    tool_call: {
      id: tool_call_id,
      name: tool_name,
      arguments: text ?? JSON.stringify('data' in parameters ? parameters.data : parameters),
      origin: given_call.origin === 'responses' ? 'responses' : 'completion',
    },
    llm_response_id: textIn(event, 'llm_response_id'),
    security_risk: securityRisk.safeParse(event.security_risk).data ?? 'UNKNOWN',
    ...given('summary', optionalText(event, 'summary')),
  }
}
