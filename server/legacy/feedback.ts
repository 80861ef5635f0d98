import { appendFile } from 'node:fs/promises'
import { v7 } from 'uuid'

export interface Feedback {
  email?: string | null | undefined
  version?: string | null | undefined
  polarity: 'positive' | 'negative'
  permissions: 'public' | 'private'
  feedback?: string | null | undefined
}

/** What people think of conversations, one JSON object a line. It never leaves this machine. */
export class FeedbackFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Returns the id of the entry. */
  async add(conversationId: string, feedback: Feedback): Promise<string> {
    const id = v7()
    const entry = { id, conversation_id: conversationId, created_at: new Date().toISOString(), ...feedback }
    await appendFile(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    return id
  }
}
