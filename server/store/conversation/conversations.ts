import { z } from 'zod'
import { dateTime } from '../../api/contract/page.ts'
import { executionStatus } from '../../api/event/events.ts'
import { conversationStats } from '../../api/event/metrics.ts'
import { confirmationPolicy, securityAnalyzer } from '../../api/v1/conversation/confirmation.ts'
import { agentType, gitProvider, trigger } from '../../api/v1/conversation/conversations.ts'
import { folderMode } from '../../api/v1/conversation/folder/folders.ts'
import { isAppError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Database, Row, Value } from '../database/database.ts'
import { json } from '../database/json.ts'

/** A row, as it is written to files too. */
export const conversationRow = z.object({
  id: z.custom<ConversationId>(id => typeof id === 'string'),
  created_at: dateTime,
  updated_at: dateTime,
  title: z.string().nullable(),
  title_is_default: z.boolean(),
  sandbox_id: z.string(),
  working_dir: z.string(),
  selected_repository: z.string().nullable(),
  selected_branch: z.string().nullable(),
  git_provider: gitProvider.nullable(),
  /** Of this computer. */
  source_folder: z.string().nullable(),
  folder_mode: folderMode.nullable(),
  /** Where on this computer it works; null in a sandbox alone. */
  mounted_folder: z.string().nullable(),
  trigger: trigger.nullable(),
  pr_number: z.array(z.int()),
  llm_model: z.string().nullable(),
  instructions: z.string().nullable(),
  parent_conversation_id: z.string().nullable(),
  execution_status: executionStatus,
  limit_reached: z.enum(['max_iterations', 'max_budget_per_task']).nullable(),
  max_iterations: z.int(),
  max_budget_per_task: z.number().nullable(),
  stats: conversationStats,
  /** A recorded trajectory that drives it, as JSON text; null for a model. */
  replay: z.string().nullable(),
  agent_type: agentType,
  confirmation_policy: confirmationPolicy,
  security_analyzer: securityAnalyzer.nullable(),
  /** Kinds of actions that a person has allowed for good here; see agent/confirmation. */
  always_allowed: z.array(z.string()),
  stuck_detection: z.boolean(),
  forked_from_conversation_id: z.string().nullable(),
  forked_from_event_id: z.string().nullable(),
  pinned_at: dateTime.nullable(),
  archived_at: dateTime.nullable(),
  /** When a person brought it in, unpinned it or took it out of the archive last: the rules for old ones count from then. */
  listed_at: dateTime.nullable(),
})

export type Conversation = z.output<typeof conversationRow>
export type ConversationPatch = Partial<Omit<Conversation, 'id' | 'created_at'>>

export interface ConversationFilter {
  titleContains?: string | undefined
  createdFrom?: string | undefined
  createdBefore?: string | undefined
  updatedFrom?: string | undefined
  updatedBefore?: string | undefined
  sandboxId?: string | undefined
  status?: string | undefined
  selectedRepository?: string | undefined
  trigger?: Conversation['trigger'] | undefined
  isPinned?: boolean | undefined
  isArchived?: boolean | undefined
  includeSubConversations: boolean
}

/** Newest first, unless it says otherwise. */
export type ConversationOrder = 'created_at' | 'updated_at' | 'created_at_ascending' | 'updated_at_ascending'

const SQL_ORDER: Record<ConversationOrder, string> = {
  created_at: 'created_at DESC',
  updated_at: 'updated_at DESC',
  created_at_ascending: 'created_at',
  updated_at_ascending: 'updated_at',
}

const COLUMNS = Object.keys(conversationRow.shape) as (keyof Conversation)[]

const STORED_AS_JSON: Partial<Record<keyof Conversation, string>> = {
  title_is_default: "json(iif(title_is_default, 'true', 'false'))",
  pr_number: 'json(pr_number)',
  stats: 'json(stats)',
  confirmation_policy: 'json(confirmation_policy)',
  always_allowed: 'json(always_allowed)',
  stuck_detection: "json(iif(stuck_detection, 'true', 'false'))",
}

/** A row as JSON text. */
export const CONVERSATION_AS_JSON = `json_object(${COLUMNS.map(column => `'${column}', ${STORED_AS_JSON[column] ?? column}`).join(', ')})`

/** Rows as one JSON text: crossing into SQLite's binding for every cell would take three times as long. */
const BODIES = `json_group_array(${CONVERSATION_AS_JSON}) AS bodies`
const bodies = json(z.array(conversationRow))
const ids = json(z.array(conversationRow.shape.id))
const child = z.object({ id: z.string(), parent: z.string() })

/** So many rows are kept as they were read; a list of conversations is asked for often and changes little. */
const MAX_KEPT = 2000

/** INVARIANT: what is kept is what is committed. Every write forgets its row, and a transaction keeps nothing. */
export class ConversationTable {
  readonly #database: Database
  /** The ones that were read last are at the end. */
  readonly #kept = new Map<ConversationId, Conversation>()
  readonly #forgetting: ((id: ConversationId) => void)[] = []

  constructor(database: Database) {
    this.#database = database
  }

  /** What is known of a conversation beside its row is forgotten with it. @param forget must not throw */
  onDeleted(forget: (id: ConversationId) => void): void {
    this.#forgetting.push(forget)
  }

  insert(conversation: Conversation): void {
    const places = COLUMNS.map(() => '?').join(', ')
    this.#database.run(
      `INSERT INTO conversation (${COLUMNS.join(', ')}) VALUES (${places})`,
      COLUMNS.map(column => toValue(conversation[column])),
    )
  }

  get(id: ConversationId): Conversation | undefined {
    return this.#load([id])[0]
  }

  /** Those of the ids that there are, without reading what they are. */
  present(wanted: readonly string[]): ConversationId[] {
    const sql = 'SELECT id FROM conversation WHERE id IN (SELECT value FROM json_each(?))'
    return this.#ids(sql, [JSON.stringify(wanted)])
  }

  /** Fields that are absent stay as they are. */
  update(id: ConversationId, patch: ConversationPatch): void {
    const columns = COLUMNS.filter(column => column in patch && column !== 'id' && column !== 'created_at')
    if (columns.length === 0) return
    const assignments = columns.map(column => `${column} = ?`).join(', ')
    const values = columns.map(column => toValue(patch[column as keyof ConversationPatch]))
    this.#kept.delete(id)
    this.#database.run(`UPDATE conversation SET ${assignments} WHERE id = ?`, [...values, id])
  }

  delete(id: ConversationId): boolean {
    this.#kept.delete(id)
    const isDeleted = this.#database.run('DELETE FROM conversation WHERE id = ?', [id]) > 0
    for (const forget of this.#forgetting) forget(id)
    return isDeleted
  }

  list(filter: ConversationFilter, order: ConversationOrder, offset: number, limit: number): Conversation[] {
    const { where, values } = condition(filter)
    const ordered = `ORDER BY ${SQL_ORDER[order]}, id LIMIT ? OFFSET ?`
    return this.#load(this.#ids(`SELECT id FROM conversation ${where} ${ordered}`, [...values, limit, offset]))
  }

  /** How many come before it in the list; undefined when it is not in it. */
  positionOf(id: string, filter: ConversationFilter, order: ConversationOrder): number | undefined {
    const { where, values } = condition(filter)
    const numbered = `SELECT id, row_number() OVER (ORDER BY ${SQL_ORDER[order]}, id) - 1 AS n FROM conversation ${where}`
    const found = this.#database.get(`SELECT n FROM (${numbered}) WHERE id = ?`, [...values, id])
    return found && numberOf(found)
  }

  count(filter: ConversationFilter): number {
    const { where, values } = condition(filter)
    return numberOf(this.#database.get(`SELECT count(*) AS n FROM conversation ${where}`, values))
  }

  childrenOf(ids: ConversationId[]): { id: string; parent: string }[] {
    if (ids.length === 0) return []
    const sql = `SELECT child.id, child.parent_conversation_id AS parent
      FROM json_each(?) AS wanted JOIN conversation AS child ON child.parent_conversation_id = wanted.value
      ORDER BY child.created_at`
    return this.#database.all(sql, [JSON.stringify(ids)]).map(found => child.parse(found))
  }

  /** Of those that are run here. */
  withStatus(status: string): Conversation[] {
    const sql = `SELECT id FROM conversation
      WHERE execution_status = ? AND id NOT IN (SELECT conversation_id FROM reported_conversation)`
    return this.#load(this.#ids(sql, [status]))
  }

  #ids(sql: string, values: Value[]): ConversationId[] {
    return ids.parse(this.#database.get(`SELECT json_group_array(id) AS ids FROM (${sql})`, values)?.ids)
  }

  /** In the order of the ids; unknown ones are left out. */
  #load(wanted: readonly ConversationId[]): Conversation[] {
    const kept = wanted.map(id => this.#kept.get(id))
    const read = this.#read(wanted.filter((_, index) => kept[index] === undefined))
    const found = wanted.map((id, index) => kept[index] ?? read.get(id)).filter(one => one !== undefined)
    if (this.#database.isInTransaction) return found
    for (const one of read.values()) this.#kept.set(one.id, one)
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break
      this.#kept.delete(id)
    }
    return found
  }

  #read(wanted: readonly ConversationId[]): Map<ConversationId, Conversation> {
    if (wanted.length === 0) return new Map()
    const found = this.#readTogether(wanted) ?? this.#readApart(wanted)
    return new Map(found.map(one => [one.id, Object.freeze(one)]))
  }

  /** @returns undefined when one of them is damaged */
  #readTogether(wanted: readonly ConversationId[]): Conversation[] | undefined {
    const sql = `SELECT ${BODIES} FROM conversation WHERE id IN (SELECT value FROM json_each(?))`
    try {
      return bodies.parse(this.#database.get(sql, [JSON.stringify(wanted)])?.bodies)
    } catch (error) {
      if (isAppError(error) && error.code !== 'store_failed') throw error
      return undefined
    }
  }

  /** Field by field: what is damaged of a conversation is replaced, and the rest of it is as it was. */
  #readApart(wanted: readonly ConversationId[]): Conversation[] {
    const sql = `SELECT ${COLUMNS.join(', ')} FROM conversation WHERE id IN (SELECT value FROM json_each(?))`
    const { damaged } = this.#database
    return this.#database
      .all(sql, [JSON.stringify(wanted)])
      .map(found =>
        readConversation(found, (field, parse) => damaged.read('conversation', `${found.id} ${field}`, parse)),
      )
  }
}

/** For a field that cannot be read: what is careful, and claims nothing. */
const REPLACEMENTS: Partial<Conversation> = {
  updated_at: '1970-01-01T00:00:00.000Z',
  created_at: '1970-01-01T00:00:00.000Z',
  pr_number: [],
  execution_status: 'paused',
  stats: { usage_to_metrics: {}, steps: 0, cost_unknown: true, last_step: null },
  agent_type: 'default',
  confirmation_policy: { kind: 'AlwaysConfirm' },
  always_allowed: [],
  title_is_default: false,
  stuck_detection: true,
  max_iterations: 500,
  sandbox_id: '',
  working_dir: '/',
}

function readConversation(found: Row, read: (field: string, parse: () => unknown) => unknown): Conversation {
  const fields = COLUMNS.map(column => {
    const value = read(column, () => conversationRow.shape[column].parse(fromValue(column, found[column])))
    return [column, value === undefined ? (REPLACEMENTS[column] ?? null) : value]
  })
  // Each field was parsed or replaced.
  return Object.fromEntries(fields) as Conversation
}

function fromValue(column: keyof Conversation, value: unknown): unknown {
  const stored = STORED_AS_JSON[column]
  if (stored === undefined) return value
  return stored.includes('iif(') ? value !== 0 : JSON.parse(String(value))
}

function condition(filter: ConversationFilter): { where: string; values: Value[] } {
  const clauses: [string, Value | undefined][] = [
    ['title LIKE ?', filter.titleContains === undefined ? undefined : `%${filter.titleContains}%`],
    ['created_at >= ?', filter.createdFrom],
    ['created_at < ?', filter.createdBefore],
    ['updated_at >= ?', filter.updatedFrom],
    ['updated_at < ?', filter.updatedBefore],
    ['sandbox_id = ?', filter.sandboxId],
    ['execution_status = ?', filter.status],
    ['selected_repository = ?', filter.selectedRepository],
    ['trigger = ?', filter.trigger ?? undefined],
  ]
  const used = clauses.filter((clause): clause is [string, Value] => clause[1] !== undefined)
  const texts = ['id NOT IN (SELECT conversation_id FROM conversation_deletion)', ...used.map(([text]) => text)]
  if (filter.isPinned !== undefined) texts.push(`pinned_at IS ${filter.isPinned ? 'NOT ' : ''}NULL`)
  if (filter.isArchived !== undefined) texts.push(`archived_at IS ${filter.isArchived ? 'NOT ' : ''}NULL`)
  if (!filter.includeSubConversations) texts.push('parent_conversation_id IS NULL')
  return { where: texts.length ? `WHERE ${texts.join(' AND ')}` : '', values: used.map(([, value]) => value) }
}

function toValue(value: unknown): Value {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(value)
}

function numberOf(found: Row | undefined): number {
  return Number(found?.n ?? 0)
}
