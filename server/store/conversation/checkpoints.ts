import type { CheckpointReason } from '../../api/v1/conversation/checkpoints.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Database, Row } from '../database/database.ts'

/** What the files of a conversation were when its log had come so far. */
export interface CheckpointRow {
  id: number
  /** Number of the last event before it. */
  seq: number
  created_at: string
  /** Git's name of it. */
  tree: string
  reason: CheckpointReason
}

export class CheckpointTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add(conversation: ConversationId, { seq, tree, reason }: Pick<CheckpointRow, 'seq' | 'tree' | 'reason'>): number {
    const values = [conversation, seq, new Date().toISOString(), tree, reason]
    const row = this.#database.get(
      'INSERT INTO checkpoint (conversation_id, seq, created_at, tree, reason) VALUES (?, ?, ?, ?, ?) RETURNING id',
      values,
    )
    return Number(row?.id)
  }

  /** Newest first. */
  list(conversation: ConversationId): CheckpointRow[] {
    const sql = 'SELECT * FROM checkpoint WHERE conversation_id = ? ORDER BY id DESC'
    return this.#database.all(sql, [conversation]).map(fromRow)
  }

  get(conversation: ConversationId, id: number): CheckpointRow | undefined {
    return this.#one('SELECT * FROM checkpoint WHERE conversation_id = ? AND id = ?', [conversation, id])
  }

  last(conversation: ConversationId): CheckpointRow | undefined {
    return this.#one('SELECT * FROM checkpoint WHERE conversation_id = ? ORDER BY id DESC LIMIT 1', [conversation])
  }

  lastTurn(conversation: ConversationId): CheckpointRow | undefined {
    const sql = "SELECT * FROM checkpoint WHERE conversation_id = ? AND reason = 'turn' ORDER BY id DESC LIMIT 1"
    return this.#one(sql, [conversation])
  }

  #one(sql: string, values: (string | number)[]): CheckpointRow | undefined {
    const row = this.#database.get(sql, values)
    return row && fromRow(row)
  }
}

function fromRow(row: Row): CheckpointRow {
  return {
    id: Number(row.id),
    seq: Number(row.seq),
    created_at: String(row.created_at),
    tree: String(row.tree),
    reason: row.reason as CheckpointReason,
  }
}
