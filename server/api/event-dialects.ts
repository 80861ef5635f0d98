import { z } from 'zod'

/**
 * The kinds that events have: `current` is what this document describes, with the kinds of agent servers since 2026; `2025` is
 * what clients of agent servers of November 2025 know. Both are made of the same stored event.
 */
const EVENT_DIALECTS = ['current', '2025'] as const
export const eventDialect = z.enum(EVENT_DIALECTS)
export type EventDialect = z.output<typeof eventDialect>

/** Of an address that events are read at. */
export const askedDialect = {
  event_dialect: eventDialect
    .optional()
    .describe(
      'Kinds of the events: `current`, or `2025` for clients of agent servers of November 2025. Absent is decided by how the client asks, and by the setting of this name.',
    ),
}

/** An event as clients of November 2025 read it: its time has no offset, as no other event's. */
export const eventOf2025 = z.looseObject({
  kind: z.string().describe('Kind of the event; its other fields depend on it.'),
  id: z.string().describe('Id of the event, unique in its conversation.'),
  timestamp: z
    .string()
    .regex(/^[\d-]{10}T[\d:]{8}\.\d{6}$/)
    .describe('When it was written to the log: local time without an offset.'),
  source: z.enum(['agent', 'user', 'environment']).describe('Who caused it.'),
})
