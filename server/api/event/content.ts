import { z } from 'zod'
import { MAX_MESSAGE_CHARACTERS } from '../contract/limits.ts'

export const textContent = z.object({
  type: z.literal('text'),
  text: z.string().describe('The text.'),
  cache_prompt: z.boolean().optional().describe('Whether the provider is asked to cache the prompt up to here.'),
})
export const imageContent = z.object({
  type: z.literal('image'),
  image_urls: z.array(z.string()).describe('Images, as `data:` URLs or addresses that begin with https://.'),
  cache_prompt: z.boolean().optional().describe('Whether the provider is asked to cache the prompt up to here.'),
})
export const content = z.discriminatedUnion('type', [textContent, imageContent])
/** A text of a message to the agent. */
export const messageText = textContent.extend({ text: z.string().max(MAX_MESSAGE_CHARACTERS).describe('The text.') })
export const messageContent = z.discriminatedUnion('type', [messageText, imageContent])
export type TextContent = z.output<typeof textContent>
export type Content = z.output<typeof content>
