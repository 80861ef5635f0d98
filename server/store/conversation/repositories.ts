import { z } from 'zod'
import { repositoryItem } from '../../api/v1/conversation/repository-trust.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Database } from '../database/database.ts'
import { json } from '../database/json.ts'

const body = json(
  z.object({
    items: z.array(repositoryItem),
    /** Variables of the secrets that the set-up script has run with; null when it has not run. */
    set_up_with: z.array(z.string()).nullable(),
    /** Content of the git hook that Atelier has installed; null when it has none. */
    installed_hook: z.string().nullable(),
    /** Content of the services that were started; null when none were. */
    services_started: z.string().nullable().default(null),
    /** What the set-up script has left of what it names. */
    settled: z.object({ item: repositoryItem, sha256: z.string() }).nullable().default(null),
    /** Digest to which a person has said "Not now". */
    postponed: z.string().nullable(),
    /** What the log already says to be left out. */
    announced: z.array(z.string()),
  }),
)

/** The repository of a conversation: what runs by itself in it, as it was read last, and what became of that. */
export interface ConversationRepository extends z.output<typeof body> {
  repository: string
}

/** Of which nothing has been read or done yet. */
export function unreadRepository(repository: string): ConversationRepository {
  const done = { set_up_with: null, installed_hook: null, services_started: null, settled: null }
  return { repository, items: [], ...done, postponed: null, announced: [] }
}

const row = z.object({ repository: z.string(), body })

export class ConversationRepositoryTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(id: ConversationId): ConversationRepository | undefined {
    const sql = 'SELECT repository, body FROM conversation_repository WHERE conversation_id = ?'
    const found = this.#database.get(sql, [id])
    return (
      found &&
      this.#database.damaged.read('conversation_repository', id, () => {
        const { repository, body } = row.parse(found)
        return { repository, ...body }
      })
    )
  }

  save(id: ConversationId, { repository, ...body }: ConversationRepository): void {
    const sql = 'INSERT OR REPLACE INTO conversation_repository (conversation_id, repository, body) VALUES (?, ?, ?)'
    this.#database.run(sql, [id, repository, JSON.stringify(body)])
  }

  /** Conversations that work in it. */
  idsOf(repository: string): ConversationId[] {
    const sql = 'SELECT conversation_id FROM conversation_repository WHERE repository = ?'
    return this.#database.all(sql, [repository]).map(found => String(found.conversation_id) as ConversationId)
  }

  /** For a conversation that begins as another one is. */
  copy(from: ConversationId, to: ConversationId): void {
    this.#database.run(
      'INSERT OR REPLACE INTO conversation_repository (conversation_id, repository, body) SELECT ?, repository, body FROM conversation_repository WHERE conversation_id = ?',
      [to, from],
    )
  }
}
