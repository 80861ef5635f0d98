import { z } from 'zod'
import { CHECKPOINT_REASONS } from '../../api/v1/conversation/checkpoints.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Database, Row } from '../database/database.ts'

/** What the files of a conversation were when its log had come so far, to the event `seq`; `tree` is git's name of it. */
const row = z.object({
  id: z.int(),
  seq: z.int(),
  created_at: z.iso.datetime(),
  tree: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  reason: z.enum(CHECKPOINT_REASONS),
  /** 1 where one or more between it and the one before it were removed. */
  after_gap: z.int().min(0).max(1),
})
export type CheckpointRow = z.output<typeof row>

export class CheckpointTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add(
    conversation: ConversationId,
    {
      seq,
      tree,
      reason,
      created_at = new Date().toISOString(),
      after_gap = 0,
    }: Pick<CheckpointRow, 'seq' | 'tree' | 'reason'> & Partial<CheckpointRow>,
  ): number {
    const values = [conversation, seq, created_at, tree, reason, after_gap]
    const added = this.#database.get(
      'INSERT INTO checkpoint (conversation_id, seq, created_at, tree, reason, after_gap) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
      values,
    )
    return Number(added?.id)
  }

  /** What comes after them is marked. */
  drop(conversation: ConversationId, rows: readonly Pick<CheckpointRow, 'id'>[]): void {
    const mark = `UPDATE checkpoint SET after_gap = 1
      WHERE id = (SELECT id FROM checkpoint WHERE conversation_id = ? AND id > ? ORDER BY id LIMIT 1)`
    this.#database.transaction(() => {
      for (const { id } of rows) {
        this.#database.run(mark, [conversation, id])
        this.#database.run('DELETE FROM checkpoint WHERE conversation_id = ? AND id = ?', [conversation, id])
      }
    })
  }

  count(conversation: ConversationId): number {
    const sql = 'SELECT count(*) AS count FROM checkpoint WHERE conversation_id = ?'
    return Number(this.#database.get(sql, [conversation])?.count)
  }

  /** Oldest first: all but the newest, that of the last turn, and that of the beginning. */
  removable(conversation: ConversationId, begun: string): CheckpointRow[] {
    const kept = [this.last(conversation), this.lastTurn(conversation), this.beginning(conversation, begun)]
    const ids = kept.map(each => each?.id)
    return this.list(conversation)
      .filter(({ id }) => !ids.includes(id))
      .reverse()
  }

  /** Newest first. */
  list(conversation: ConversationId): CheckpointRow[] {
    const sql = 'SELECT * FROM checkpoint WHERE conversation_id = ? ORDER BY id DESC'
    return this.#database.all(sql, [conversation]).flatMap(found => this.#read(found) ?? [])
  }

  get(conversation: ConversationId, id: number): CheckpointRow | undefined {
    return this.#one('SELECT * FROM checkpoint WHERE conversation_id = ? AND id = ?', [conversation, id])
  }

  last(conversation: ConversationId): CheckpointRow | undefined {
    return this.#one('SELECT * FROM checkpoint WHERE conversation_id = ? ORDER BY id DESC LIMIT 1', [conversation])
  }

  /** The last one that was made before the log came to the event of this number. */
  before(conversation: ConversationId, seq: number): CheckpointRow | undefined {
    const sql = 'SELECT * FROM checkpoint WHERE conversation_id = ? AND seq < ? ORDER BY id DESC LIMIT 1'
    return this.#one(sql, [conversation, seq])
  }

  /** The first one that was made when the log had come to the event of this number, or later. */
  since(conversation: ConversationId, seq: number): CheckpointRow | undefined {
    const sql = 'SELECT * FROM checkpoint WHERE conversation_id = ? AND seq >= ? ORDER BY id LIMIT 1'
    return this.#one(sql, [conversation, seq])
  }

  /** Of the first turn since the given moment. */
  beginning(conversation: ConversationId, begun: string): CheckpointRow | undefined {
    const sql =
      "SELECT * FROM checkpoint WHERE conversation_id = ? AND reason = 'turn' AND created_at >= ? ORDER BY id LIMIT 1"
    return this.#one(sql, [conversation, begun])
  }

  lastTurn(conversation: ConversationId): CheckpointRow | undefined {
    const sql = "SELECT * FROM checkpoint WHERE conversation_id = ? AND reason = 'turn' ORDER BY id DESC LIMIT 1"
    return this.#one(sql, [conversation])
  }

  #one(sql: string, values: (string | number)[]): CheckpointRow | undefined {
    const found = this.#database.get(sql, values)
    return found && this.#read(found)
  }

  #read(found: Row): CheckpointRow | undefined {
    return this.#database.damaged.read('checkpoint', String(found.id), () => row.parse(found))
  }
}
