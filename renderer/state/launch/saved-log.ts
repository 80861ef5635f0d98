import { event as anyEvent } from '../../../server/api/event/events.ts'
import { GIT_PROVIDERS, type GitProvider } from '../../../server/api/v1/conversation/conversations.ts'
import { activeEvents } from '../conversation/branch.ts'
import { formatBytes } from '../format.ts'
import { t } from './text.ts'
import { isZip, readZip } from './zip.ts'

type Fields = Readonly<Record<string, unknown>>

/** A recorded conversation, cut down to what a replay takes from it. */
export interface SavedLog {
  events: Record<string, unknown>[]
  /** The person's first words; empty when the log begins otherwise. */
  begins: string
  /** How often the agent acted or spoke. */
  steps: number
  /** It hands work to sub-agents, whose words are in logs of their own: they ask a model. */
  hasSubAgents: boolean
  /** Where it worked; empty when the log does not say. */
  repository: string
  branch: string
  provider: GitProvider | null
}

const MAX_FILE_BYTES = 100_000_000
/** What the service takes in one request, with room to spare. */
const MAX_REPLAY_BYTES = 8_000_000

/**
 * Reads the ZIP archive that “Save its log” makes, or JSON of events of either generation.
 * @throws Error in words for a person
 */
export async function readSavedLog(file: Pick<File, 'size' | 'arrayBuffer'>): Promise<SavedLog> {
  if (file.size > MAX_FILE_BYTES) {
    throw new Error(t('logTooLarge', { size: formatBytes(file.size), limit: formatBytes(MAX_FILE_BYTES) }))
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { found, about }: Found = isZip(bytes) ? await fromZip(bytes) : { found: fromText(bytes), about: {} }
  const events = onBranch(found).flatMap(replayed)
  if (events.length === 0) throw new Error(t('noMessagesInLog'))
  const size = JSON.stringify(events).length
  if (size > MAX_REPLAY_BYTES) {
    throw new Error(t('replayTooLarge', { size: formatBytes(size), limit: formatBytes(MAX_REPLAY_BYTES) }))
  }
  return {
    events,
    begins: events.map(beginning).find(text => text !== '') ?? '',
    steps: events.filter(({ source }) => source === 'agent').length,
    hasSubAgents: events.some(startsSubAgent),
    repository: textIn(about, 'selected_repository'),
    branch: textIn(about, 'selected_branch'),
    provider: GIT_PROVIDERS.find(provider => provider === about.git_provider) ?? null,
  }
}

/** What the person went back from is no part of the conversation, though it is in its log. */
function onBranch(found: readonly Fields[]): readonly Fields[] {
  if (!found.some(({ kind, key }) => kind === 'ConversationStateUpdateEvent' && key === 'leaf_event_id')) return found
  const events = found.flatMap(one => anyEvent.safeParse(one).data ?? [])
  const active = new Set(activeEvents(events).map(({ id }) => id))
  const aside = new Set<unknown>(events.flatMap(({ id }) => (active.has(id) ? [] : [id])))
  return found.filter(({ id }) => !aside.has(id))
}

interface Found {
  found: Fields[]
  /** What the archive says of the conversation. */
  about: Fields
}

const EVENT_FILE = /^event_[^/]*\.json$/

async function fromZip(bytes: Uint8Array): Promise<Found> {
  const files = await readZip(bytes, name => name.endsWith('.json'), MAX_FILE_BYTES)
  const events = [...files].filter(([name]) => EVENT_FILE.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const about = parsed(files.get('meta.json') ?? '{}')
  const other = [...files].find(([name]) => name !== 'meta.json')
  if (events.length > 0) return { found: events.flatMap(([, text]) => fieldsIn(parsed(text))), about: fieldsOf(about) }
  if (!other) throw new Error(t('noEventsInArchive'))
  return { found: listIn(parsed(other[1])), about: fieldsOf(about) }
}

function fromText(bytes: Uint8Array): Fields[] {
  return listIn(parsed(new TextDecoder().decode(bytes)))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(t('neitherJsonNorArchive'))
  }
}

function listIn(value: unknown): Fields[] {
  const { trajectory, events } = fieldsOf(value)
  const list = [value, trajectory, events].find(Array.isArray)
  if (!list) throw new Error(t('noListOfEvents'))
  return list.flatMap(fieldsIn)
}

/** The service makes everything else anew: observations, states, pictures. */
function replayed(event: Fields): Record<string, unknown>[] {
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

function beginning(event: Fields): string {
  if (event.source !== 'user') return ''
  if (event.action === 'message') return textIn(fieldsOf(event.args), 'content').trim()
  const content = fieldsOf(event.llm_message).content
  return Array.isArray(content) ? textIn(fieldsOf(content[0]), 'text').trim() : ''
}

/** Any object has fields by name; what they are is looked at one by one. */
function fieldsIn(value: unknown): Fields[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as Fields] : []
}

function fieldsOf(value: unknown): Fields {
  return fieldsIn(value)[0] ?? {}
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
