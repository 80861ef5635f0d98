import type { Item } from '../../../state/conversation/item.ts'

/** What the person has written in this conversation, oldest first; the same text twice in a row counts once. */
export function ownTexts(items: readonly Item[]): string[] {
  const texts = items.flatMap(item => (item.kind === 'message' && item.author === 'user' ? [item.text.trim()] : []))
  return texts.filter((text, index) => text !== '' && text !== texts[index - 1])
}

/**
 * The text that takes the place of the draft: an earlier one for -1, a later one for 1; after the latest comes an empty
 * draft. undefined where the key does what it always does: the draft is the person's own.
 */
export function recalled(texts: readonly string[], draft: string, step: -1 | 1): string | undefined {
  const at = draft === '' ? texts.length : texts.lastIndexOf(draft)
  if (at === -1 || (draft === '' && step === 1)) return undefined
  const next = at + step
  return next === texts.length ? '' : texts[next]
}
