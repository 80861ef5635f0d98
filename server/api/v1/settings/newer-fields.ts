import { z } from 'zod'
import { eventDialect } from '../../event-dialects.ts'
import { modelOptions } from '../../model-options.ts'
import { retentionDays, retentionRules } from '../system/retention.ts'

const MAX_ALLOWED_HOSTS = 100

/** A name or an address, with a port or for every port: `localhost`, `192.168.1.20:8080`, `[::1]:8080`. */
const allowedHost = z.string().trim().min(1).max(260)

export const IDLE_MINUTES = [0, 15, 30, 60, 240] as const
const idleMinutes = z.literal(IDLE_MINUTES)

const runningLimit = z.number().int().min(1).max(1000)

/** Fields of `/api/v1/settings` alone. */
export const newerPatch = {
  allowed_hosts: z
    .array(allowedHost)
    .max(MAX_ALLOWED_HOSTS)
    .nullable()
    .optional()
    .describe(
      'Hosts of this machine and its network that programs in sandboxes reach, and that repositories, sandboxes and secret lookups may name; null clears the list. `localhost` is this machine, which sandboxes know as `host.docker.internal`.',
    ),
  prepare_sandboxes: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      'Start up to three sandboxes ahead of need, so that a conversation does not wait for one. They are in no list until they are used. null is true.',
    ),
  pause_idle_after: idleMinutes
    .nullable()
    .optional()
    .describe(
      'After how many minutes without use a sandbox is paused, until something needs it; 0 is never. Its memory stays; where a pause would end its programs, as on Kubernetes, it is not paused by itself. null is 60.',
    ),
  max_running_sandboxes: runningLimit
    .nullable()
    .optional()
    .describe(
      'How many sandboxes may run at once on each engine. One that starts or resumes beyond it takes the place of the one that nothing has used for longest, where idle ones are paused, else it is refused. null is any number.',
    ),
  archive_after_days: retentionDays
    .nullable()
    .optional()
    .describe(
      'After how many days without use a conversation goes into the archive, unless it is pinned; null is never.',
    ),
  delete_after_days: retentionDays
    .nullable()
    .optional()
    .describe(
      'After how many days without use a conversation is deleted, with its sandbox where nothing else uses that, unless it is pinned; null is never.',
    ),
  event_dialect: eventDialect
    .nullable()
    .optional()
    .describe(
      'Kinds of events that the gateway sends to clients that ask for none: `current`, or `2025` for clients of agent servers of November 2025; null decides by how each one asks.',
    ),
  llm_options: modelOptions
    .nullable()
    .optional()
    .describe('How the model is asked, in the words of agent servers, in place of all that there is; null clears it.'),
}

export const newerReply = {
  allowed_hosts: z
    .array(z.string())
    .describe('Hosts of this machine and its network that repositories, sandboxes and secret lookups may name too.'),
  prepare_sandboxes: z.boolean().describe('Whether sandboxes are started ahead of need.'),
  pause_idle_after: idleMinutes.describe(
    'After how many minutes without use a sandbox is paused, until something needs it; 0 is never.',
  ),
  max_running_sandboxes: runningLimit
    .nullable()
    .describe('How many sandboxes may run at once on each engine; null is any number.'),
  ...retentionRules.shape,
  event_dialect: eventDialect
    .nullable()
    .describe(
      'Kinds of events that the gateway sends to clients that ask for none; null decides by how each one asks.',
    ),
  llm_options: modelOptions.describe('How the model is asked; empty is as its provider has it.'),
}
