import type { ConversationId } from '../../domain/ids.ts'
import { type LoadedExtensions, loadedExtensions } from '../../domain/loaded-extensions.ts'
import type { Database } from '../database/database.ts'
import { json } from '../database/json.ts'

const body = json(loadedExtensions)

/** What was read of each conversation's repository, so that it is known while the sandbox is paused. */
export class ConversationKnowledgeTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(id: ConversationId): LoadedExtensions | undefined {
    const found = this.#database.get('SELECT body FROM conversation_knowledge WHERE conversation_id = ?', [id])
    return found && this.#database.damaged.read('conversation_knowledge', id, () => body.parse(found.body))
  }

  save(id: ConversationId, value: LoadedExtensions): void {
    this.#database.run('INSERT OR REPLACE INTO conversation_knowledge (conversation_id, body) VALUES (?, ?)', [
      id,
      JSON.stringify(value),
    ])
  }

  /** For a conversation that begins as another one is. */
  copy(from: ConversationId, to: ConversationId): void {
    this.#database.run(
      'INSERT OR REPLACE INTO conversation_knowledge (conversation_id, body) SELECT ?, body FROM conversation_knowledge WHERE conversation_id = ?',
      [to, from],
    )
  }
}
