import { z } from 'zod'
import { attemptChanges, attemptCheck } from '../../api/v1/conversation/attempts.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Database, Row } from '../database/database.ts'
import { json } from '../database/json.ts'

const result = z.object({
  /** Of the agent until then: after more of them it says nothing of what is now. */
  steps: z.int(),
  changes: attemptChanges.nullable(),
  check: attemptCheck.nullable(),
  detail: z.string().nullable(),
})
export type AttemptResult = z.output<typeof result>

const body = z.object({
  task: z.string(),
  check: z.string().nullable(),
  attempts: z.array(
    z.object({
      conversation_id: z.custom<ConversationId>(id => typeof id === 'string'),
      start_task_id: z.string(),
      llm_model: z.string().nullable(),
      /** Where the saved model was then; null for none, and for where its provider is. */
      llm_base_url: z.string().nullable().default(null),
      /** A saved model. */
      profile: z.string().nullable().default(null),
      result: result.nullable(),
    }),
  ),
})

const row = z.object({
  id: z.string(),
  conversation_id: z.custom<ConversationId>(id => typeof id === 'string'),
  created_at: z.iso.datetime(),
  body: json(body),
})

/** Attempts that were begun together, from one conversation. */
export type AttemptSetRow = z.output<typeof row>

export class AttemptTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  save(set: AttemptSetRow): void {
    const sql = 'INSERT OR REPLACE INTO attempts (id, conversation_id, created_at, body) VALUES (?, ?, ?, ?)'
    this.#database.run(sql, [set.id, set.conversation_id, set.created_at, JSON.stringify(set.body)])
  }

  get(id: string): AttemptSetRow | undefined {
    const found = this.#database.get('SELECT * FROM attempts WHERE id = ?', [id])
    return found && this.#read(found)
  }

  /** Newest first. */
  of(conversation: ConversationId): AttemptSetRow[] {
    const sql = 'SELECT * FROM attempts WHERE conversation_id = ? ORDER BY created_at DESC, id DESC'
    return this.#database.all(sql, [conversation]).flatMap(found => this.#read(found) ?? [])
  }

  all(): AttemptSetRow[] {
    return this.#database.all('SELECT * FROM attempts').flatMap(found => this.#read(found) ?? [])
  }

  delete(id: string): void {
    this.#database.run('DELETE FROM attempts WHERE id = ?', [id])
  }

  #read(found: Row): AttemptSetRow | undefined {
    return this.#database.damaged.read('attempts', String(found.id), () => row.parse(found))
  }
}
