import { executionStatus } from '../../api/event/events.ts'
import { gitProvider, trigger } from '../../api/v1/conversation/conversations.ts'
import type { ConversationLine } from '../format.ts'
import type { FoundConversation } from './layout.ts'
import { statsOf, sumOf } from './metrics.ts'
import {
  conversationIdOf,
  type Fields,
  fieldsOf,
  given,
  integerIn,
  listIn,
  textIn,
  timeOf,
  withoutNulls,
} from './values.ts'

/** What is said of a conversation, wherever it is said. */
export interface Sources {
  /** Of the app's database. */
  row: Fields
  /** `metadata.json` or `meta.json`. */
  metadata: Fields
  /** `base_state.json` */
  state: Fields
  /** Its first and last time, and the beginning of what a person has said. */
  events: { first: string | undefined; last: string | undefined; title: string | null }
}

/** The first line of a conversation, as a file of Atelier has it. */
export function describeConversation(
  { id }: FoundConversation,
  { row, metadata, state, events }: Sources,
  known: ReadonlySet<string>,
): ConversationLine['conversation'] {
  const said = { ...withoutNulls(state), ...withoutNulls(metadata), ...withoutNulls(row) }
  const created_at = timeOf(said.created_at) ?? events.first ?? '1970-01-01T00:00:00.000Z'
  const updated_at = timeOf(said.last_updated_at) ?? timeOf(said.updated_at) ?? events.last ?? created_at
  const title = textIn(said, 'title').trim().slice(0, 200)
  const parent = conversationIdOf(textIn(said, 'parent_conversation_id'))
  const llm = fieldsOf(fieldsOf(said.agent).llm)
  const steps = integerIn(said, 'max_iterations')
  const status = executionStatus.safeParse(said.execution_status).data
  return {
    id,
    created_at,
    updated_at: [created_at, updated_at].sort()[1] ?? created_at,
    ...given('title', title || events.title),
    title_is_default: title === '',
    selected_repository: line(textIn(said, 'selected_repository')),
    selected_branch: line(textIn(said, 'selected_branch')),
    git_provider: gitProvider.safeParse(said.git_provider).data ?? null,
    trigger: trigger.safeParse(said.trigger).data ?? null,
    pr_number: numbersOf(said.pr_number),
    llm_model: line(textIn(said, 'llm_model') || textIn(llm, 'model')),
    parent_conversation_id: known.has(parent) && parent !== id ? parent : null,
    stats: said.stats === undefined ? sumOf(said) : statsOf(said.stats, 0),
    ...given('working_dir', workingDir(said.workspace)),
    ...given('max_iterations', steps !== undefined && steps > 0 && steps < 1e9 ? steps : undefined),
    ...given('execution_status', status === 'deleting' ? undefined : status),
  }
}

function line(text: string): string | null {
  const plain = text.replace(/\p{Cc}+/gu, ' ').trim()
  return plain === '' ? null : plain.slice(0, 500)
}

/** The database has them as JSON text. */
function numbersOf(value: unknown): number[] {
  const list = typeof value === 'string' ? parsed(value) : value
  return listIn({ list }, 'list')
    .filter(number => Number.isSafeInteger(number))
    .slice(0, 1000) as number[]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function workingDir(workspace: unknown): string | undefined {
  const folder = textIn(fieldsOf(workspace), 'working_dir')
  return folder.startsWith('/') && folder.length < 1000 ? folder : undefined
}
