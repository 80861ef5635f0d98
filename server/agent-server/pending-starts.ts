import { unlessAborted } from '../async/unless-aborted.ts'
import type { ConversationId } from '../domain/ids.ts'

/** The conversations that are being started. One id has one start at a time; whoever asks for it meanwhile waits. */
export class PendingStarts {
  readonly #ends = new Map<ConversationId, Promise<void>>()

  /** Waits until nobody starts it, whether that went well or not. @throws the signal's reason */
  async settled(id: ConversationId, signal: AbortSignal): Promise<void> {
    for (let end = this.#ends.get(id); end; end = this.#ends.get(id)) await unlessAborted(end, signal)
  }

  /** To be called in the same turn in which `settled` came back. */
  async run(id: ConversationId, begin: () => Promise<void>): Promise<void> {
    const begun = begin()
    this.#ends.set(
      id,
      begun.catch(() => {}),
    )
    try {
      await begun
    } finally {
      this.#ends.delete(id)
    }
  }
}
