import type { Content } from '../api/event/content.ts'
import { clipMiddle } from '../text/clip.ts'

const MAX_CHARACTERS = 30_000

/** Masked, and no more than a model can take; one limit for all its texts. */
export function clipContent(content: readonly Content[], mask: (text: string) => string): Content[] {
  let room = MAX_CHARACTERS
  return content.flatMap((part): Content[] => {
    if (part.type === 'image') return [part]
    if (room <= 0) return []
    const text = clipMiddle(mask(part.text), room, () => '\n[… the middle was left out: the answer is too long …]\n')
    room -= text.length
    return [{ type: 'text', text }]
  })
}
