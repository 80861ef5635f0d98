import type { ConversationId } from '../../domain/ids.ts'
import { type SubAgent, subAgent } from '../../domain/sub-agent.ts'
import type { Database } from '../database/database.ts'
import { json } from '../database/json.ts'

const body = json(subAgent)

/** What the sub-agents of conversations are; one stays what it was when its file changes. */
export class SubAgentTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** undefined for a conversation that is no sub-agent's, or that of one without a part of its own. */
  get(id: ConversationId): SubAgent | undefined {
    const found = this.#database.get('SELECT body FROM sub_agent WHERE conversation_id = ?', [id])
    return found && this.#database.damaged.read('sub_agent', id, () => body.parse(found.body))
  }

  insert(id: ConversationId, value: SubAgent): void {
    this.#database.run('INSERT INTO sub_agent (conversation_id, body) VALUES (?, ?)', [id, JSON.stringify(value)])
  }
}
