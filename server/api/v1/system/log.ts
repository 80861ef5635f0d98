import { z } from 'zod'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'

/** From the least to the most serious. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const logLine = z.object({
  id: z.string().describe('Where the line is; no other line of the log has the same.'),
  at: dateTime.nullable().describe('When it was written; null for a line that is no record of the log.'),
  level: z.enum(LOG_LEVELS).describe('How serious it is.'),
  message: z.string().describe('What happened.'),
  details: z.string().nullable().describe('Further fields of the line as JSON; null for none.'),
})
export type LogLine = z.output<typeof logLine>

const cursor = z
  .string()
  .regex(/^\d+:\d+$/)
  .nullish()

export const getLog = route({
  method: 'get',
  path: '/api/v1/log',
  summary: 'The last lines of the log',
  description:
    'Reads the end of the log of the service, which holds no secrets, in pieces of bounded size. With `before` it reads what comes before an earlier piece, with `after` what was written since. Older logs, which were put away at their bound, are files in the data folder.',
  tag: 'System',
  query: z.object({
    before: cursor.describe('`before` of an earlier reply: reads the piece before it.'),
    after: cursor.describe(
      '`after` of an earlier reply: reads what was written since, or the end of a log that began anew.',
    ),
  }),
  reply: z.object({
    lines: z.array(logLine).describe('Lines in the order in which they were written.'),
    before: z.string().nullable().describe('Cursor for the piece before this one; null at the beginning of the log.'),
    after: z.string().describe('Cursor for what is written from now on.'),
    began_anew: z
      .boolean()
      .describe('Whether the log has begun anew since the cursor, so that these lines do not follow those of before.'),
  }),
})
