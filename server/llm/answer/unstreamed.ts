import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'

type Whole = Awaited<ReturnType<LanguageModelV3['doGenerate']>>
type Content = Whole['content'][number]

/** Asks without streaming; the answer comes as the parts of a stream, so that it is read like any other. */
export async function askWhole(model: LanguageModelV3, options: LanguageModelV3CallOptions) {
  const { content, response, finishReason, usage, providerMetadata } = await model.doGenerate(options)
  const parts: LanguageModelV3StreamPart[] = [
    { type: 'response-metadata', ...(response?.id !== undefined && { id: response.id }) },
    ...content.flatMap((piece, index) => partsOf(piece, String(index))),
    { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) },
  ]
  return { parts, headers: response?.headers }
}

function partsOf(piece: Content, id: string): LanguageModelV3StreamPart[] {
  if (piece.type === 'tool-call') return [piece]
  if (piece.type !== 'text' && piece.type !== 'reasoning') return []
  const attached = piece.providerMetadata && { providerMetadata: piece.providerMetadata }
  return [
    { type: `${piece.type}-start`, id },
    { type: `${piece.type}-delta`, id, delta: piece.text },
    { type: `${piece.type}-end`, id, ...attached },
  ]
}

/** For a server that sends one whole answer although it was asked for a stream. */
export function isWhole(headers: Record<string, string> | undefined): boolean {
  return /^application\/json\b/i.test(headers?.['content-type'] ?? '')
}
