import { z } from 'zod'
import { content } from '../../api/event/content.ts'
import { type SendMessageRequest, sendMessageRequest } from '../../api/event/events.ts'
import { type AppConversationStartTask, appConversationStartTask } from '../../api/v1/conversation/starts.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Database, Row, Value } from '../database/database.ts'

export interface StartTaskFilter {
  conversationId?: string | undefined
  createdFrom?: string | undefined
}

/** With the paths of its files it may be longer than what anybody may write. */
const firstMessage = sendMessageRequest.extend({ content: z.array(content) })
const withFirstMessage = z.object({ first_message: firstMessage.nullable().default(null) })

export type StartTaskOrder = 'created_at ASC' | 'created_at DESC' | 'updated_at ASC' | 'updated_at DESC'

/** One that a dead process left behind. */
export interface UnfinishedStart {
  task: AppConversationStartTask
  conversationId: ConversationId
  /** What was to be said first, once its files were in the sandbox; null before, and where there is nothing to say. */
  firstMessage: SendMessageRequest | null
}

export class StartTaskTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Inserts or replaces. `conversationId` is the id its conversation has, or will have. */
  save(
    task: AppConversationStartTask,
    conversationId: ConversationId,
    firstMessage: SendMessageRequest | null = null,
  ): void {
    const stored = firstMessage === null ? task : { ...task, first_message: firstMessage }
    const sql = `INSERT INTO start_task (id, conversation_id, created_at, updated_at, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, body = excluded.body`
    this.#database.run(sql, [task.id, conversationId, task.created_at, task.updated_at, JSON.stringify(stored)])
  }

  get(id: string): AppConversationStartTask | undefined {
    const found = this.#database.get('SELECT id, body FROM start_task WHERE id = ?', [id])
    return found && this.#readable([found], toTask)[0]
  }

  /** Those of a conversation that never came to be, or is gone. @returns their ids */
  remove(conversationId: ConversationId): string[] {
    const sql = 'DELETE FROM start_task WHERE conversation_id = ? RETURNING id'
    return this.#database.all(sql, [conversationId]).map(found => String(found.id))
  }

  list(filter: StartTaskFilter, order: StartTaskOrder, offset: number, limit: number): AppConversationStartTask[] {
    const { where, values } = condition(filter)
    const sql = `SELECT id, body FROM start_task ${where} ORDER BY ${order}, id LIMIT ? OFFSET ?`
    return this.#readable(this.#database.all(sql, [...values, limit, offset]), toTask)
  }

  count(filter: StartTaskFilter): number {
    const { where, values } = condition(filter)
    return Number(this.#database.get(`SELECT count(*) AS n FROM start_task ${where}`, values)?.n ?? 0)
  }

  unfinished(): UnfinishedStart[] {
    const sql = `SELECT id, conversation_id, body FROM start_task WHERE ${field('status')} NOT IN ('READY', 'ERROR')`
    return this.#readable(this.#database.all(sql), found => ({
      task: toTask(found),
      conversationId: String(found.conversation_id) as ConversationId,
      firstMessage: toFirstMessage(found),
    }))
  }

  #readable<T>(found: Row[], parse: (row: Row) => T): T[] {
    return this.#database.damaged.readAll('start_task', found, one => one.id, parse)
  }
}

/** NULL in a row whose JSON is broken, which would end the whole query otherwise. */
function field(path: string): string {
  return `CASE WHEN json_valid(body) THEN json_extract(body, '$.${path}') END`
}

function condition(filter: StartTaskFilter): { where: string; values: Value[] } {
  const all: [string, Value | undefined][] = [
    ['conversation_id = ?', filter.conversationId],
    ['created_at >= ?', filter.createdFrom],
  ]
  const used = all.filter((clause): clause is [string, Value] => clause[1] !== undefined)
  const where = used.length ? `WHERE ${used.map(([text]) => text).join(' AND ')}` : ''
  return { where, values: used.map(([, value]) => value) }
}

function toTask(found: Row): AppConversationStartTask {
  return appConversationStartTask.parse(JSON.parse(String(found.body)))
}

function toFirstMessage(found: Row): SendMessageRequest | null {
  return withFirstMessage.parse(JSON.parse(String(found.body))).first_message
}
