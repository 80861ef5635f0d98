import { z } from 'zod'

/** Page bounds of the newer generation: 1 to 100, 100 when absent. A `page_id` is opaque to clients. */
export const pageQuery = z.object({
  page_id: z
    .string()
    .nullish()
    .describe('Where the page begins: `next_page_id` of the page before. Absent is the first page.'),
  limit: z.int().min(1).max(100).default(100).describe('How many items a page has at most.'),
})

export function page<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('Items of this page.'),
    next_page_id: z.string().nullable().describe('Where the next page begins; null on the last page.'),
  })
}

export const success = z.object({ success: z.boolean().describe('Whether it was done.') })
export type Success = z.output<typeof success>

export const dateTime = z.iso.datetime({ offset: true })
