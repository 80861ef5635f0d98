import type { ConversationId } from '../../domain/ids.ts'
import type { Database } from '../database/database.ts'

/** What existing clients keep with a conversation for their experiments; nothing here reads it. */
export class ExperimentConfigTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The first one stays. */
  keep(id: ConversationId, config: Record<string, string>): void {
    this.#database.run('INSERT OR IGNORE INTO experiment_config (conversation_id, body) VALUES (?, ?)', [
      id,
      JSON.stringify(config),
    ])
  }
}
