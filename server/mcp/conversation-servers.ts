import type { VaultItems } from '../secret/vault/items.ts'
import type { ConversationToolServerTable } from '../store/conversation/tool-servers.ts'
import { type ConversationServerConfig, conversationServers } from './configured.ts'

/** What conversations have of tool servers of their own, one item of the vault each, deleted with the conversation. */
export class ConversationServers {
  readonly #items: VaultItems
  readonly #table: ConversationToolServerTable

  constructor(dependencies: { items: VaultItems; table: ConversationToolServerTable }) {
    this.#items = dependencies.items
    this.#table = dependencies.table
  }

  /** undefined when it has none of its own. @throws AppError of the vault */
  async read(conversationId: string): Promise<ConversationServerConfig | undefined> {
    const item = this.#table.get(conversationId)
    const value = item === undefined ? null : await this.#items.read(item)
    return value === null ? undefined : conversationServers.parse(JSON.parse(value))
  }

  /** Conversations that have some of their own. */
  owners(): string[] {
    return this.#table.conversations()
  }

  /** @throws AppError of the vault: then nothing has changed */
  async save(conversationId: string, kept: ConversationServerConfig): Promise<void> {
    await this.#items.store([JSON.stringify(kept)], ([item = '']) => {
      const before = this.#table.get(conversationId)
      this.#table.put(conversationId, item)
      return before === undefined ? [] : [before]
    })
  }

  /** Never rejects for a vault that does not answer: the value is deleted when it does. */
  async forget(conversationId: string): Promise<void> {
    this.#table.delete(conversationId)
    await this.#items.sweep()
  }

  /** Deletes the values of conversations that were deleted. */
  sweep(): Promise<void> {
    return this.#items.sweep()
  }

  /** What a start left behind that the service did not outlive. */
  async tidy(): Promise<void> {
    this.#table.deleteOrphans()
    await this.#items.sweep()
  }
}
