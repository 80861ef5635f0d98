import type { WireEvent } from '../../api/agent-server/events.ts'
import { LEAF_KEY } from '../../api/event/branch.ts'
import type { Event } from '../../api/event/events.ts'
import type { EventFrame } from '../../api/event/frames.ts'
import type { EventDialect } from '../../api/event-dialects.ts'
import { fieldsOf2025, olderFields } from './events-of-2025.ts'
import { toolClassOf } from './tool-class.ts'

/**
 * Events as clients of agent servers read them: the objects of version 1.44, without fields that are null, and with the
 * field names of the dialect before beside them (`output`, `error`, `activated_microagents`). `2025` has the kinds of that
 * dialect, too.
 */
export function toWire(event: Event | Exclude<EventFrame, Event>, dialect: EventDialect = 'current'): WireEvent {
  const { timestamp, ...rest } = event
  const {
    seq: _seq,
    provider_metadata: _metadata,
    ...fields
  } = { seq: undefined, provider_metadata: undefined, ...rest }
  const always = { kind: event.kind, id: event.id, source: event.source, timestamp: localTime(timestamp) }
  const older = dialect === '2025' ? withoutNulls(fieldsOf2025(event)) : {}
  return { ...withoutNulls(fields), ...fieldsOfBoth(event), ...always, ...older }
}

function fieldsOfBoth(event: EventFrame): Record<string, unknown> {
  switch (event.kind) {
    case 'SystemPromptEvent':
      return { tools: event.tools.map(toolDefinition) }
    case 'MessageEvent':
      return { activated_microagents: event.activated_skills }
    case 'ActionEvent':
      return event.action?.kind === 'ClientToolAction' ? { action: clientAction(event.tool_name, event.action) } : {}
    case 'ObservationEvent':
      return {
        observation: { ...event.observation, ...olderFields(event.observation) },
        extended_content: event.extended_content ?? [],
      }
    case 'ConversationStateUpdateEvent':
      return { value: event.value, ...(event.key === LEAF_KEY && { parent_id: event.value ?? ROOT }) }
    default:
      return {}
  }
}

/** The parent of what follows the beginning. All other events follow the one before them in the log. */
const ROOT = '__root__'

/** Each tool of a client has a class of its own, whose fields are the arguments. */
function clientAction(name: string, { data }: { data: Record<string, unknown> }): Record<string, unknown> {
  return { data, ...data, kind: `ClientAction_${name}` }
}

function toolDefinition(tool: Record<string, unknown>): Record<string, unknown> {
  const name = String(tool.name ?? '')
  return {
    ...toolClassOf(name),
    description: tool.description,
    annotations: { title: name, readOnlyHint: tool.read_only === true },
    title: name,
  }
}

function withoutNulls(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, isPlain(value) ? withoutNulls(value) : value]),
  )
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Existing clients take times without an offset for local ones. */
export function localTime(utc: string): string {
  const time = new Date(utc)
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return `${local.toISOString().slice(0, -1)}000`
}

/** Times are stored in UTC and compared as text. */
export function storedTime(time: string | null | undefined): string | undefined {
  return time ? new Date(time).toISOString() : undefined
}

export function dashed(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
