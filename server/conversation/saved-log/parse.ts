import { activeBranch } from '../../api/event/branch.ts'
import { event as anyEvent } from '../../api/event/events.ts'
import { GIT_PROVIDERS } from '../../api/v1/conversation/conversations.ts'
import type { SavedLog } from '../../api/v1/conversation/replays.ts'
import { isRecord } from '../../domain/is-record.ts'
import { isArchive, readArchive } from './archive.ts'

type Fields = Record<string, unknown>

const MAX_TEXT_BYTES = 100_000_000
/** What the service takes in one request, with room to spare. */
const MAX_REPLAY_CHARACTERS = 8_000_000

/**
 * Reads the ZIP archive of a conversation's download, or JSON of events of either generation.
 * @throws Error in words for a person
 */
export async function parseSavedLog(bytes: Buffer): Promise<SavedLog> {
  const { found, about } = isArchive(bytes)
    ? await fromArchive(bytes)
    : { found: eventsIn(bytes.toString()), about: {} }
  const events = onBranch(found).flatMap(replayed)
  if (events.length === 0) throw new Error('It is JSON, but holds no messages and actions of an agent.')
  const length = JSON.stringify(events).length
  if (length > MAX_REPLAY_CHARACTERS) {
    const [is, most] = [length, MAX_REPLAY_CHARACTERS].map(count => `${(count / 1e6).toFixed(1)} MB`)
    throw new Error(`Its messages and actions have ${is}; ${most} is the most that can be replayed.`)
  }
  return {
    events,
    first_message: events.map(userText).find(text => text !== '') ?? '',
    agent_steps: events.filter(({ source }) => source === 'agent').length,
    has_sub_agents: events.some(startsSubAgent),
    selected_repository: textIn(about, 'selected_repository') || null,
    selected_branch: textIn(about, 'selected_branch') || null,
    git_provider: GIT_PROVIDERS.find(provider => provider === about.git_provider) ?? null,
  }
}

/** What the person went back from is no part of the conversation, though it is in its log. */
function onBranch(found: readonly Fields[]): readonly Fields[] {
  if (!found.some(({ kind, key }) => kind === 'ConversationStateUpdateEvent' && key === 'leaf_event_id')) return found
  const events = found.flatMap(one => anyEvent.safeParse(one).data ?? [])
  const active = new Set(activeBranch(events).map(({ id }) => id))
  const left = new Set<unknown>(events.flatMap(({ id }) => (active.has(id) ? [] : [id])))
  return found.filter(({ id }) => !left.has(id))
}

const EVENT_FILE = /^event_[^/]*\.json$/

async function fromArchive(bytes: Buffer): Promise<{ found: Fields[]; about: Fields }> {
  const files = await readArchive(bytes, MAX_TEXT_BYTES)
  const events = [...files].filter(([name]) => EVENT_FILE.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const about = fieldsOf(parsed(files.get('meta.json') ?? '{}'))
  if (events.length > 0) return { found: events.flatMap(([, text]) => parsed(text)).filter(isRecord), about }
  const other = [...files].find(([name]) => name !== 'meta.json')
  if (!other) throw new Error('The ZIP archive holds no events.')
  return { found: eventsIn(other[1]), about }
}

function eventsIn(text: string): Fields[] {
  const value = parsed(text)
  const { trajectory, events } = fieldsOf(value)
  const list = [value, trajectory, events].find(Array.isArray)
  if (!list) throw new Error('It is JSON, but no list of events.')
  return list.filter(isRecord)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('It is neither JSON nor a ZIP archive of events.')
  }
}

/** The replay makes everything else anew: observations, states, pictures. */
function replayed(event: Fields): Fields[] {
  if (event.kind === 'MessageEvent') {
    const { kind, source, llm_message } = event
    const content = fieldsOf(llm_message).content
    const texts = Array.isArray(content) ? content.filter(part => fieldsOf(part).type === 'text') : content
    return [{ kind, source, llm_message: { ...fieldsOf(llm_message), content: texts } }]
  }
  if (event.kind === 'ActionEvent') {
    const { kind, source, thought, tool_call_id, tool_call, llm_response_id } = event
    return [{ kind, source, thought, tool_call_id, tool_call, llm_response_id }]
  }
  if (typeof event.action !== 'string' || event.action === 'system') return []
  if (event.source !== 'user' && event.source !== 'agent') return []
  const { action, source, args, tool_call_metadata } = event
  return [{ action, source, args, tool_call_metadata }]
}

/** In the words of either generation. */
function startsSubAgent({ tool_call, tool_call_metadata }: Fields): boolean {
  return /"name":"task"/.test(JSON.stringify(tool_call ?? fieldsOf(tool_call_metadata).model_response) ?? '')
}

function userText(event: Fields): string {
  if (event.source !== 'user') return ''
  if (event.action === 'message') return textIn(fieldsOf(event.args), 'content').trim()
  const content = fieldsOf(event.llm_message).content
  return Array.isArray(content) ? textIn(fieldsOf(content[0]), 'text').trim() : ''
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
