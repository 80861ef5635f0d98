import type { Conversation } from './conversation.ts'

/** Why nothing comes from the model. Times are milliseconds since 1970. */
export type ModelWait =
  | { kind: 'silent'; since: number }
  /** `attempt` is the one that comes next. */
  | { kind: 'retry'; attempt: number; at: number; reason: string }

/** null while there is nothing to wait for. */
export function waitOf({ silentSince, events }: Conversation): ModelWait | null {
  if (silentSince !== null) return { kind: 'silent', since: Date.parse(silentSince) }
  const last = events.at(-1)
  if (last?.kind !== 'ConversationStateUpdateEvent' || last.key !== 'llm_retry') return null
  const { attempt, delay_ms: delayMs, reason } = Object(last.value)
  if (typeof attempt !== 'number' || typeof delayMs !== 'number' || typeof reason !== 'string') return null
  return { kind: 'retry', attempt: attempt + 1, at: Date.parse(last.timestamp) + delayMs, reason }
}
