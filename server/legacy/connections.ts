/** The clients that follow each conversation over the legacy socket. */
export class Connections {
  readonly #followers = new Map<string, Set<{ stopped: () => void }>>()

  count(id: string): number {
    return this.#followers.get(id)?.size ?? 0
  }

  /** `stopped` must not throw. Returns what ends the connection; more than one call ends it once. */
  enter(id: string, stopped: () => void): () => void {
    const follower = { stopped }
    const followers = this.#followers.get(id) ?? new Set()
    this.#followers.set(id, followers.add(follower))
    return () => {
      followers.delete(follower)
      if (followers.size === 0 && this.#followers.get(id) === followers) this.#followers.delete(id)
    }
  }

  /** A person has stopped the conversation for all. */
  stop(id: string): void {
    for (const { stopped } of [...(this.#followers.get(id) ?? [])]) stopped()
  }
}
