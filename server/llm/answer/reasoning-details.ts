import type { MetadataExtractor } from '@ai-sdk/openai-compatible'
import type { JSONValue } from '@ai-sdk/provider'
import { z } from 'zod'

/** The name under which the details of an answer stand in the metadata of its end. */
export const REASONING_DETAILS = 'reasoningDetails'

const detail = z.looseObject({ type: z.string(), index: z.int().nullish() })
const chunk = z.object({
  choices: z.array(z.object({ delta: z.object({ reasoning_details: z.array(detail).nullish() }).nullish() })),
})
const whole = z.object({
  choices: z.array(z.object({ message: z.object({ reasoning_details: z.array(detail).nullish() }).nullish() })),
})
type Detail = z.output<typeof detail>

/**
 * OpenRouter passes on what the models behind it want back with their calls (signatures, encrypted thinking) as pieces of
 * `reasoning_details`, and takes them in the message, in the same order and unchanged.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
export const reasoningDetails: MetadataExtractor = {
  extractMetadata: async ({ parsedBody }) => {
    const { data } = whole.safeParse(parsedBody)
    return metadataOf(data?.choices[0]?.message?.reasoning_details ?? [])
  },
  createStreamExtractor: () => {
    const details: Detail[] = []
    return {
      processChunk(value) {
        const { data } = chunk.safeParse(value)
        for (const piece of data?.choices[0]?.delta?.reasoning_details ?? []) join(details, piece)
      },
      buildMetadata: () => metadataOf(details),
    }
  },
}

function metadataOf(details: Detail[]) {
  if (details.length === 0) return undefined
  // Parsed from JSON, so it is such a value.
  return { [REASONING_DETAILS]: { reasoning_details: details as JSONValue } }
}

function join(details: Detail[], piece: Detail): void {
  const last = details.at(-1)
  if (!last || last.type !== piece.type || last.index !== piece.index) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name]
    const grows = GROWING.has(name) && typeof before === 'string' && typeof value === 'string'
    if (value !== null && value !== undefined) last[name] = grows ? before + value : value
  }
}

const GROWING = new Set(['text', 'summary', 'data'])
