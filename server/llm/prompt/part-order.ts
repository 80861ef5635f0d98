import type { SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { z } from 'zod'

/**
 * The order of an answer's parts and what the provider attached to each: proofs of thinking, encrypted thinking, thought
 * signatures. Providers refuse a history in which these are missing or moved, so it travels with the message as its
 * `providerMetadata`. Reasoning is repeated in it because the proof holds for its exact text.
 */
const orderedPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('reasoning'), text: z.string(), options: options() }),
  z.object({ type: z.literal('text'), length: z.int(), options: options() }),
  z.object({ type: z.literal('tool-call'), id: z.string(), options: options() }),
])
const partOrder = z.object({
  provider: z.string(),
  parts: z.array(orderedPart),
  /** What belongs to the message as a whole. */
  message: options(),
})

export type OrderedPart = z.output<typeof orderedPart>
export type PartOrder = z.output<typeof partOrder>

function options() {
  return z.custom<SharedV3ProviderMetadata>(value => typeof value === 'object' && value !== null).optional()
}

/** undefined for metadata of another origin. */
export function parsePartOrder(metadata: Record<string, unknown> | undefined): PartOrder | undefined {
  return metadata && partOrder.safeParse(metadata).data
}

/** undefined when the provider attached nothing: the plain message says it all then. */
export function toMetadata({ provider, parts, message }: PartOrder): Record<string, unknown> | undefined {
  if (!message && !parts.some(part => part.options)) return undefined
  return { provider, parts, ...(message && { message }) }
}
