import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'

const OPEN = '<think>'
const CLOSE = '</think>'
const ID = 'think-tag'

/** Marks reasoning that came inside the text, and so goes back inside it. */
export const THINK_TAG = { atelier: { tag: 'think' } } as const

type Part = LanguageModelV3StreamPart

/**
 * Servers that do not know a model's own marks leave its thinking in the text: `<think>…</think>` at its beginning
 * becomes reasoning here. Everything else passes unchanged.
 */
export function createThinkSplitter(): (part: Part) => Part[] {
  let state: 'undecided' | 'thinking' | 'text' = 'undecided'
  let held = ''

  function decide(text: string, textId: string): Part[] {
    held += text
    const begun = held.trimStart()
    if (begun.length < OPEN.length && OPEN.startsWith(begun)) return []
    if (!begun.startsWith(OPEN)) {
      state = 'text'
      return flush(textId)
    }
    state = 'thinking'
    held = begun.slice(OPEN.length)
    const start: Part = { type: 'reasoning-start', id: ID, providerMetadata: THINK_TAG }
    return [start, ...think('', textId)]
  }

  function think(text: string, textId: string): Part[] {
    held += text
    const close = held.indexOf(CLOSE)
    if (close < 0) {
      const kept = unfinishedTag(held)
      const said = held.slice(0, held.length - kept)
      held = held.slice(held.length - kept)
      return said ? [{ type: 'reasoning-delta', id: ID, delta: said }] : []
    }
    state = 'text'
    const said = held.slice(0, close)
    held = held.slice(close + CLOSE.length)
    const parts: Part[] = said ? [{ type: 'reasoning-delta', id: ID, delta: said }] : []
    // A text of its own, so that it stands after the thinking.
    return [...parts, { type: 'reasoning-end', id: ID }, { type: 'text-start', id: textId }, ...flush(textId)]
  }

  function flush(textId: string): Part[] {
    const delta = held
    held = ''
    return delta ? [{ type: 'text-delta', id: textId, delta }] : []
  }

  function end(part: Part & { type: 'text-end' }): Part[] {
    const rest: Part[] = state === 'thinking' ? [{ type: 'reasoning-delta', id: ID, delta: held }] : flush(part.id)
    if (state === 'thinking') held = ''
    return [...rest, part]
  }

  return part => {
    if (part.type === 'text-delta' && state === 'undecided') return decide(part.delta, part.id)
    if (part.type === 'text-delta' && state === 'thinking') return think(part.delta, part.id)
    return part.type === 'text-end' ? end(part) : [part]
  }
}

function unfinishedTag(text: string): number {
  const from = text.lastIndexOf('<')
  return from >= 0 && CLOSE.startsWith(text.slice(from)) ? text.length - from : 0
}
