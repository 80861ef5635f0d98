import type { LaunchDraft } from './launch.ts'

/** The text of a link takes the place of the one before it. What a person typed, or changed in the text of an earlier link, is kept. */
export function withLinkText(draft: LaunchDraft, text: string): LaunchDraft {
  const last = draft.linkTexts.at(-1)
  const isUnchanged = last !== undefined && last.text === draft.text
  const earlier = isUnchanged ? draft.linkTexts.slice(0, -1) : draft.linkTexts
  return { ...draft, text, linkTexts: [...earlier, { text, before: isUnchanged ? last.before : draft.text }] }
}

/** Whose words the task is: those of a link, of a link and a person, or (null) of a person alone. */
export function authorsOf({ text, linkTexts }: LaunchDraft): 'link' | 'both' | null {
  const last = linkTexts.at(-1)
  if (last === undefined) return null
  return last.text === text ? 'link' : 'both'
}

/** Puts back what was there before the link, above what was typed since; null where the text of the link is no longer there as a whole. */
export function withoutLinkText({ text, linkTexts }: LaunchDraft): Pick<LaunchDraft, 'text' | 'linkTexts'> | null {
  const last = linkTexts.at(-1)
  if (last === undefined) return null
  const typed = withoutAtEdge(text, last.text)?.trim()
  if (typed === undefined) return null
  return {
    text: typed === '' ? last.before : [last.before, typed].filter(part => part.trim() !== '').join('\n\n'),
    linkTexts: linkTexts.slice(0, -1),
  }
}

function withoutAtEdge(text: string, part: string): string | undefined {
  if (text.startsWith(part)) return text.slice(part.length)
  if (text.endsWith(part)) return text.slice(0, -part.length)
  return text.trim() === '' ? '' : undefined
}

/** What is left in the composer once the task is started. */
export function afterStart({ linkTexts }: LaunchDraft): Pick<LaunchDraft, 'text' | 'linkTexts'> {
  return { text: linkTexts.at(-1)?.before ?? '', linkTexts: linkTexts.slice(0, -1) }
}
