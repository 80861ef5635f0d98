import type { EventDialect } from '../../api/event-dialects.ts'

/** What tells the kinds that a client knows. */
export interface EventReader {
  port: 'app' | 'gateway'
  /** What it says itself. */
  asked?: EventDialect | null | undefined
  /** `resend_all` of a socket, which only clients of 2025 send: newer ones send `resend_mode`. */
  resendAll?: boolean
}

/**
 * Which kinds of events a client gets. What it says itself decides; then, for clients of agent servers, the setting
 * `event_dialect`; then how it asks. The setting does not reach the app's own port, whose clients read this version's events.
 */
export function dialectOf(reader: EventReader, setting: EventDialect | null): EventDialect {
  if (reader.asked) return reader.asked
  if (reader.port === 'gateway' && setting) return setting
  return reader.resendAll ? '2025' : 'current'
}
