import type { Call } from '../../../api/event/calls.ts'
import type { Content } from '../../../api/event/content.ts'
import type { EventOf } from '../../../api/event/events.ts'
import { textsOf } from '../content.ts'
import { type TranslatedLog, UNCLASSIFIED } from '../log.ts'
import { statsOfStep } from '../metrics.ts'
import { promptTools } from '../prompt-tools.ts'
import { type Fields, fieldsOf, given, imagesIn, integerIn, listIn, optionalText, textIn, timeOf } from '../values.ts'
import { toAction } from './actions.ts'
import { toObservation } from './observations.ts'

type Source = 'agent' | 'user' | 'environment'

/** What only says how the service was doing. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'null',
  'recall',
  'change_agent_state',
  'agent_state_changed',
  'condense',
  'pause',
  'resume',
  'stop',
  'initialize',
  'start',
  'loop_recovery',
])

/** Reads a log of the first generation: an action, or the observation that it has led to, in each event. */
export class FirstGeneration {
  readonly #log: TranslatedLog
  /** The ids of today by those of then. */
  readonly #ids = new Map<number, string>()
  readonly #calls = new Map<number, Call>()
  #steps = 0

  constructor(log: TranslatedLog) {
    this.#log = log
  }

  /** @throws Error for what is no event */
  add(value: unknown): void {
    const event = fieldsOf(value)
    const timestamp = timeOf(event.timestamp)
    if (typeof event.action === 'string') this.#addAction(event.action, event, timestamp)
    else if (typeof event.observation === 'string') this.#addObservation(event.observation, event, timestamp)
    else this.#log.addNotice('OpenHands has an entry here that is neither an action nor an observation.', timestamp)
  }

  #addAction(name: string, event: Fields, timestamp: string | undefined): void {
    const args = fieldsOf(event.args)
    const source = sourceOf(event)
    if (name === 'change_agent_state' && args.agent_state === 'paused') {
      this.#remember(event, this.#log.add({ kind: 'PauseEvent', source: 'user', timestamp }).id)
    }
    if (LEFT_OUT.has(name) || args.hidden === true) return
    if (name === 'message') return this.#addMessage(event, args, timestamp)
    if (name === 'system') {
      const system_prompt = { type: 'text' as const, text: textIn(args, 'content') }
      const tools = promptTools(args.tools)
      const added = this.#log.add({ kind: 'SystemPromptEvent', source: 'agent', system_prompt, tools, timestamp })
      return this.#remember(event, added.id)
    }
    if (name === 'condensation') return this.#addCondensation(event, args, timestamp)
    if (name === 'condensation_request') {
      this.#log.add({ kind: 'CondensationRequest', source: 'environment', timestamp })
      return
    }
    const call = this.#addCall(name, event, { source, timestamp })
    if (call.action?.kind === 'FinishAction') {
      const { tool_name, tool_call_id, id: action_id } = call
      const observation = { kind: 'FinishObservation' as const, content: textsOf(call.action.message), is_error: false }
      this.#log.add({
        kind: 'ObservationEvent',
        source: 'environment',
        tool_name,
        tool_call_id,
        action_id,
        observation,
      })
    }
    this.#addStats(event, source)
  }

  #addMessage(event: Fields, args: Fields, timestamp: string | undefined): void {
    const source = sourceOf(event)
    const images = imagesIn(listIn(args, 'image_urls'))
    const content: Content[] = textsOf(textIn(args, 'content'))
    if (images.length > 0) content.push({ type: 'image', image_urls: images })
    const { id } = this.#log.add({
      kind: 'MessageEvent',
      source,
      llm_message: { role: source === 'agent' ? 'assistant' : 'user', content },
      activated_skills: [],
      extended_content: [],
      timestamp,
    })
    this.#remember(event, id)
    this.#addStats(event, source)
  }

  #addCall(
    name: string,
    event: Fields,
    { source, timestamp }: { source: Source; timestamp: string | undefined },
  ): Call {
    const args = fieldsOf(event.args)
    const metadata = fieldsOf(event.tool_call_metadata)
    const { tool, action } = toAction(name, args, event.timeout)
    const { kind: _, ...parameters } = action
    const data = 'data' in parameters ? parameters.data : parameters
    const number = integerIn(event, 'id') ?? -1
    const answer = fieldsOf(metadata.model_response)
    const tool_call_id = textIn(metadata, 'tool_call_id') || `call_${number}`
    const reasoning = optionalText(fieldsOf(fieldsOf(listIn(answer, 'choices')[0]).message), 'reasoning_content')
    const thought = action.kind === 'ThinkAction' || action.kind === 'FinishAction' ? '' : textIn(args, 'thought')
    const call = this.#log.add({
      kind: 'ActionEvent',
      source,
      tool_name: tool,
      tool_call_id,
      thought: thought === '' ? [] : textsOf(thought),
      ...given('reasoning_content', reasoning || undefined),
      thinking_blocks: [],
      action,
      tool_call: { id: tool_call_id, name: tool, arguments: JSON.stringify(data), origin: 'completion' },
      llm_response_id: textIn(answer, 'id'),
      security_risk: RISKS[String(args.security_risk)] ?? 'UNKNOWN',
      timestamp,
    }) as Call
    this.#remember(event, call.id)
    if (number >= 0) this.#calls.set(number, call)
    return call
  }

  #addObservation(name: string, event: Fields, timestamp: string | undefined): void {
    const extras = fieldsOf(event.extras)
    const content = textIn(event, 'content')
    const cause = integerIn(event, 'cause')
    const known = cause === undefined ? undefined : this.#calls.get(cause)
    const open = known && this.#log.isOpen(known) ? known : undefined
    if (name === 'agent_state_changed' && textIn(extras, 'reason') !== '') {
      return this.#addError('agent_state_changed', textIn(extras, 'reason'), timestamp)
    }
    // What sets a conversation up, and what nothing has asked for.
    if ((LEFT_OUT.has(name) && !open) || extras.hidden === true) return
    if (name === 'error' && !open) return this.#addError(textIn(extras, 'error_id'), content, timestamp)
    const call = open ?? this.#callFor(name, event, timestamp)
    const { tool_name, tool_call_id, id: action_id } = call
    const result = { tool_name, tool_call_id, timestamp }
    const { id } =
      name === 'error'
        ? this.#log.add({ kind: 'AgentErrorEvent', source: 'agent', ...result, error: content })
        : name === 'user_rejected'
          ? this.#log.add({
              ...{ kind: 'UserRejectObservation', source: 'user', ...result, action_id },
              ...{ rejection_reason: content, rejection_source: 'user' },
            })
          : this.#log.add({
              ...{ kind: 'ObservationEvent', source: 'environment', ...result, action_id },
              observation: toObservation(name, event, call.action, tool_name),
            })
    this.#remember(event, id)
  }

  /** A result whose action is not in the log. */
  #callFor(name: string, event: Fields, timestamp: string | undefined): Call {
    const args = name === 'run' ? { command: textIn(fieldsOf(event.extras), 'command') } : {}
    return this.#addCall(name, { args }, { source: 'environment', timestamp })
  }

  #addError(code: string, detail: string, timestamp: string | undefined): void {
    const shown = detail || 'The agent stopped with an error.'
    this.#log.add({
      ...{ kind: 'ConversationErrorEvent', source: 'environment', code: code || 'error', detail: shown },
      ...{ classification: UNCLASSIFIED, timestamp },
    })
  }

  #addCondensation(event: Fields, args: Fields, timestamp: string | undefined): void {
    const first = integerIn(args, 'forgotten_events_start_id')
    const last = integerIn(args, 'forgotten_events_end_id')
    const listed = new Set(listIn(args, 'forgotten_event_ids'))
    const isForgotten = (id: number) =>
      first !== undefined && last !== undefined ? id >= first && id <= last : listed.has(id)
    const summary = optionalText(args, 'summary')
    const offset = integerIn(args, 'summary_offset')
    const { id } = this.#log.add({
      kind: 'Condensation',
      source: 'environment',
      forgotten_event_ids: [...this.#ids].flatMap(([number, id]) => (isForgotten(number) ? [id] : [])),
      ...given('summary', summary),
      ...given('summary_offset', summary !== undefined && offset !== undefined && offset >= 0 ? offset : undefined),
      llm_response_id: '',
      timestamp,
    })
    this.#remember(event, id)
  }

  /** The sums so far, as they stood after an answer of the model. */
  #addStats(event: Fields, source: EventOf<'ActionEvent'>['source']): void {
    if (source !== 'agent') return
    const metrics = fieldsOf(event.llm_metrics)
    if (Object.keys(metrics).length === 0) return
    this.#steps++
    const value = statsOfStep(metrics, this.#steps)
    this.#log.add({ kind: 'ConversationStateUpdateEvent', source: 'environment', key: 'stats', value })
  }

  #remember(event: Fields, id: string): void {
    const number = integerIn(event, 'id')
    if (number !== undefined) this.#ids.set(number, id)
  }
}

const RISKS: Readonly<Record<string, EventOf<'ActionEvent'>['security_risk']>> = {
  '0': 'LOW',
  '1': 'MEDIUM',
  '2': 'HIGH',
  LOW: 'LOW',
  MEDIUM: 'MEDIUM',
  HIGH: 'HIGH',
}

function sourceOf({ source }: Fields): Source {
  return source === 'agent' || source === 'user' ? source : 'environment'
}
