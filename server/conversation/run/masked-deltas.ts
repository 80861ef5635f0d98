import type { Complete, CompletionRequest } from '../../llm/completion.ts'
import type { Mask } from '../../secret/mask/mask.ts'

/**
 * A model whose answers show no secret while they grow. What may be the beginning of one waits for what follows it; the
 * event in the end has the whole answer.
 */
export function withMaskedDeltas(complete: Complete, mask: Pick<Mask, 'stream'>): Complete {
  return request => {
    let tell = maskedDeltas(request.onDelta, mask)
    const onVoid = () => {
      tell = maskedDeltas(request.onDelta, mask)
      request.onVoid?.()
    }
    return complete({ ...request, onVoid, onDelta: delta => tell(delta) })
  }
}

function maskedDeltas(tell: CompletionRequest['onDelta'], mask: Pick<Mask, 'stream'>): CompletionRequest['onDelta'] {
  const streams = { text: mask.stream(), reasoning: mask.stream() }
  return delta => {
    const shown: typeof delta = {}
    for (const part of ['text', 'reasoning'] as const) {
      const text = delta[part]
      const now = text === undefined ? '' : streams[part].push(text)
      if (now !== '') shown[part] = now
    }
    if (Object.keys(shown).length > 0) tell(shown)
  }
}
