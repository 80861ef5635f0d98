import { type Bound, MIB } from './bound.ts'

/** On conversations that another agent server runs and reports. */
export const REPORT_BOUNDS = {
  reportedEvents: {
    limit: 20_000,
    unit: 'items',
    of: 'events kept of a conversation that another agent server reports',
    beyond: 'Further ones are refused with 409.',
  },
  reportedBytes: {
    limit: 64 * MIB,
    unit: 'bytes',
    of: 'events kept of a conversation that another agent server reports',
    beyond: 'Further ones are refused with 409.',
  },
  reportedSandboxBytes: {
    limit: 512 * MIB,
    unit: 'bytes',
    of: 'events kept of all conversations that another agent server reports of one sandbox',
    beyond: 'Further ones are refused with 409.',
  },
  reportedConversations: {
    limit: 1000,
    unit: 'items',
    of: 'conversations that another agent server reports of one sandbox',
    beyond: 'Further ones are refused with 409.',
  },
} as const satisfies Record<string, Bound>
