import { z } from 'zod'
import { route } from '../../contract/route.ts'

export const MAX_RETENTION_DAYS = 3650

export const retentionDays = z.int().min(1).max(MAX_RETENTION_DAYS)

/** Of the settings. */
export const retentionRules = z.object({
  archive_after_days: retentionDays
    .nullable()
    .describe('After how many days without use a conversation goes into the archive; null is never.'),
  delete_after_days: retentionDays
    .nullable()
    .describe('After how many days without use a conversation is deleted; null is never.'),
})
export type RetentionRules = z.output<typeof retentionRules>

export const retentionPreview = z.object({
  archived: z.int().describe('Conversations that would go into the archive now.'),
  deleted: z.int().describe('Conversations that would be deleted now, with sandboxes that nothing else uses.'),
})
export type RetentionPreview = z.output<typeof retentionPreview>

export const previewRetention = route({
  method: 'get',
  path: '/api/v1/storage/retention',
  summary: 'What rules for old conversations would do now',
  description:
    'Counts the conversations that would be archived and deleted at once by such rules, before they are saved in the settings. Pinned ones, and those whose agent works or waits for an approval, always stay, and so does one whose sandbox is in use.',
  tag: 'Storage',
  query: z.object({
    archive_after_days: retentionDays.nullish().describe('Days without use before one is archived; absent is never.'),
    delete_after_days: retentionDays.nullish().describe('Days without use before one is deleted; absent is never.'),
  }),
  reply: retentionPreview,
})
