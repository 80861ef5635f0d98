import type { LaunchDraft } from './launch.ts'

/** The text of a link takes the place of the one before it. What a person typed, or changed in the text of an earlier link, is kept. */
export function withLinkText(draft: LaunchDraft, text: string): LaunchDraft {
  const last = draft.replaced.at(-1)
  const isUnchanged = last?.by === 'link' && last.text === draft.text
  const earlier = isUnchanged ? draft.replaced.slice(0, -1) : draft.replaced
  return {
    ...draft,
    text,
    replaced: [...earlier, { text, before: isUnchanged ? last.before : draft.text, by: 'link' }],
  }
}

/** A task whose start failed is taken up again. What is being written is kept. */
export function takenUpAgain(draft: LaunchDraft, task: LaunchDraft): LaunchDraft {
  const { text } = task
  if (draft.text.trim() === '' || draft.text === text) return { ...task, replaced: draft.replaced }
  return { ...task, replaced: [...draft.replaced, { text, before: draft.text, by: 'start' }] }
}

/** Whose words the task is: those of a link, of a link and a person, of a start that failed, or (null) of a person alone. */
export function authorsOf({ text, replaced }: LaunchDraft): 'link' | 'both' | 'start' | null {
  const last = replaced.at(-1)
  if (last === undefined) return null
  if (last.by === 'start') return 'start'
  return last.text === text ? 'link' : 'both'
}

/** Puts back what was there before, above what was typed since; null where the text that took its place is no longer there as a whole. */
export function withoutReplacing({ text, replaced }: LaunchDraft): Pick<LaunchDraft, 'text' | 'replaced'> | null {
  const last = replaced.at(-1)
  if (last === undefined) return null
  const typed = withoutAtEdge(text, last.text)?.trim()
  if (typed === undefined) return null
  return {
    text: typed === '' ? last.before : [last.before, typed].filter(part => part.trim() !== '').join('\n\n'),
    replaced: replaced.slice(0, -1),
  }
}

function withoutAtEdge(text: string, part: string): string | undefined {
  if (text.startsWith(part)) return text.slice(part.length)
  if (text.endsWith(part)) return text.slice(0, -part.length)
  return text.trim() === '' ? '' : undefined
}

/** What is left in the composer once the task is started. */
export function afterStart({ replaced }: LaunchDraft): Pick<LaunchDraft, 'text' | 'replaced'> {
  return { text: replaced.at(-1)?.before ?? '', replaced: replaced.slice(0, -1) }
}
