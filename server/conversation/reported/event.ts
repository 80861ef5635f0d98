import { action } from '../../api/event/actions.ts'
import { type Event, event, SOURCES } from '../../api/event/events.ts'
import { observation } from '../../api/event/observations.ts'
import type { ReportedEvent } from '../../api/v1/system/webhooks.ts'

type Fields = Record<string, unknown>

/**
 * An event of another agent server as one of ours, with its id and time. Older names are translated, what is missing gets
 * its default, and a kind that we do not have becomes a state update with the whole event as its value: nothing is lost,
 * and nothing that is stored has a shape of its own. null for what is never stored: pieces of answers, and full states.
 */
export function toEvent(reported: ReportedEvent): Event | null {
  const fields = withoutNulls(reported)
  if (reported.kind === 'StreamingDeltaEvent' || fields.key === 'full_state') return null
  const base = { ...fields, seq: 0, timestamp: utc(fields.timestamp), source: sourceOf(fields.source) }
  const known = event.safeParse({ ...DEFAULTS[reported.kind], ...base, ...translated(fields) })
  if (known.success) return known.data
  return {
    kind: 'ConversationStateUpdateEvent',
    id: reported.id,
    seq: 0,
    timestamp: base.timestamp,
    source: base.source,
    key: `reported:${reported.kind}`,
    value: fields,
  }
}

/** What older agent servers leave out. */
const DEFAULTS: Readonly<Record<string, Fields>> = {
  SystemPromptEvent: { tools: [] },
  MessageEvent: { activated_skills: [], extended_content: [] },
  ActionEvent: { thought: [], thinking_blocks: [], security_risk: 'UNKNOWN', action: null },
  UserRejectObservation: { rejection_source: 'user', rejection_reason: '' },
}

function translated(fields: Fields): Fields {
  return {
    ...(Array.isArray(fields.activated_microagents) && { activated_skills: fields.activated_microagents }),
    ...(isFields(fields.action) && { action: toAction(fields.action) }),
    ...(isFields(fields.observation) && { observation: toObservation(fields.observation, fields.tool_name) }),
  }
}

/** The kinds of the dialect before. */
const RENAMED: Readonly<Record<string, string>> = {
  ExecuteBashAction: 'TerminalAction',
  ExecuteBashObservation: 'TerminalObservation',
  StrReplaceEditorAction: 'FileEditorAction',
  StrReplaceEditorObservation: 'FileEditorObservation',
}

function renamed(fields: Fields): Fields {
  return { ...fields, kind: RENAMED[String(fields.kind)] ?? fields.kind }
}

/** One that we do not have is shown as a call with its arguments. */
function toAction(fields: Fields): unknown {
  const known = action.safeParse(renamed(fields))
  if (known.success) return known.data
  const { kind: _, ...data } = fields
  return { kind: 'MCPToolAction', data }
}

function toObservation(fields: Fields, toolName: unknown): unknown {
  const said = {
    content: Array.isArray(fields.content) ? fields.content : textIn(fields.error || fields.output),
    is_error: fields.is_error ?? Boolean(fields.error),
  }
  const known = observation.safeParse({ ...OBSERVATION_DEFAULTS, ...renamed(fields), ...said })
  if (known.success) return known.data
  return { kind: 'MCPToolObservation', tool_name: String(toolName ?? fields.kind), ...said }
}

const OBSERVATION_DEFAULTS: Fields = {
  command: '',
  exit_code: -1,
  timeout: false,
  metadata: { exit_code: -1, pid: -1, prefix: '', suffix: '' },
  prev_exist: true,
}

function textIn(text: unknown): { type: 'text'; text: string }[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []
}

function sourceOf(source: unknown): Event['source'] {
  return SOURCES.find(known => known === source) ?? 'environment'
}

/** A time without a zone is taken as UTC, which is what containers have. */
function utc(time: unknown): string {
  const text = typeof time === 'string' ? time : ''
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`
  const date = new Date(zoned)
  return (Number.isNaN(date.getTime()) ? new Date() : date).toISOString()
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, name !== 'value' && isFields(value) ? withoutNulls(value) : value]),
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
