import { z } from 'zod'

/** Page bounds of the newer generation: 1 to 100, 100 when absent. A `page_id` is opaque to clients. */
export const pageQuery = z.object({
  page_id: z.string().nullish(),
  limit: z.int().min(1).max(100).default(100),
})

export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_page_id: z.string().nullable() })
}

export const success = z.object({ success: z.boolean() })
export type Success = z.output<typeof success>

export const dateTime = z.iso.datetime({ offset: true })
