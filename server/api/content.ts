import { z } from 'zod'

export const textContent = z.object({ type: z.literal('text'), text: z.string(), cache_prompt: z.boolean().optional() })
export const imageContent = z.object({
  type: z.literal('image'),
  image_urls: z.array(z.string()),
  cache_prompt: z.boolean().optional(),
})
export const content = z.discriminatedUnion('type', [textContent, imageContent])
export type TextContent = z.output<typeof textContent>
export type Content = z.output<typeof content>
