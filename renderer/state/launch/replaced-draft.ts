import { EMPTY_DRAFT, type LaunchDraft, trimmedDraft, withoutAttempts } from './launch.ts'

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

/** Whether a task that takes the place of the draft would lose some of it. An empty field, or one as it is at first, is nothing to lose. */
export function losesSome(draft: LaunchDraft, task: LaunchDraft): boolean {
  if (draft.replaced.at(-1)?.by === 'link') return true
  const { replaced: _, ...fields } = trimmedDraft.parse(draft)
  const isSame = (name: keyof typeof fields, other: LaunchDraft) =>
    JSON.stringify(fields[name]) === JSON.stringify(other[name])
  const names = Object.keys(fields) as (keyof typeof fields)[]
  return names.some(name => !isSame(name, EMPTY_DRAFT) && !isSame(name, task))
}

/**
 * Another task takes the place of the draft.
 * @param keeps whether the draft can be brought back
 */
export function replacedByTask(draft: LaunchDraft, task: LaunchDraft, keeps: boolean): LaunchDraft {
  const { replaced, ...before } = draft
  const entry = keeps ? { before, by: 'task' as const } : replaced.at(-1)
  const below = keeps ? replaced : replaced.slice(0, -1)
  return { ...task, replaced: entry ? [...below, { ...entry, text: task.text }] : [] }
}

/** Whose words the task is: those of a link, of a link and a person, of a task that was there before, or (null) of a person alone. */
export function authorsOf({ text, replaced }: LaunchDraft): 'link' | 'both' | 'task' | null {
  const last = replaced.at(-1)
  if (last === undefined) return null
  if (last.by === 'task') return 'task'
  return last.text === text ? 'link' : 'both'
}

/**
 * Puts back what was there before, its text above what was typed since.
 * @returns null where the text of a link is no longer there as a whole; that of a task is kept then
 */
export function withoutReplacing(draft: LaunchDraft): LaunchDraft | null {
  const { text, replaced } = draft
  const last = replaced.at(-1)
  if (last === undefined) return null
  const typed = withoutAtEdge(text, last.text)?.trim() ?? (last.by === 'task' ? text : undefined)
  if (typed === undefined) return null
  const before = last.by === 'task' ? last.before : { ...draft, text: last.before }
  const joined = [before.text, typed].filter(part => part.trim() !== '').join('\n\n')
  return { ...before, text: typed === '' ? before.text : joined, replaced: replaced.slice(0, -1) }
}

function withoutAtEdge(text: string, part: string): string | undefined {
  if (text.startsWith(part)) return text.slice(part.length)
  if (text.endsWith(part)) return text.slice(0, -part.length)
  return text.trim() === '' ? '' : undefined
}

/** What is left in the launcher once the task is started: what it took the place of, or the repository and the limits for the next one. */
export function afterStart(draft: LaunchDraft): LaunchDraft {
  const last = draft.replaced.at(-1)
  const replaced = draft.replaced.slice(0, -1)
  if (last?.by === 'task') return { ...last.before, replaced }
  return { ...withoutAttempts(draft), plan: EMPTY_DRAFT.plan, text: last?.before ?? '', replaced }
}

/** Whether two drafts say the same, whatever they took the place of. */
export function isSameTask(draft: Task, other: Task): boolean {
  return JSON.stringify(fieldsOf(draft)) === JSON.stringify(fieldsOf(other))
}

/** Which of the tasks that were set aside it is, counted from the oldest. */
export function placeOf({ replaced }: LaunchDraft, sent: LaunchDraft): number | null {
  const place = tasksOf(replaced).findLastIndex(({ before }) => isSameTask(before, sent))
  return place < 0 ? null : place
}

/**
 * A task that was set aside is not wanted back; what it took the place of takes its.
 * @returns also whether there is one task less
 */
export function withoutPlace(draft: LaunchDraft, place: number): { draft: LaunchDraft; isLess: boolean } {
  const { replaced } = draft
  const gone = tasksOf(replaced)[place]
  if (!gone) return { draft, isLess: false }
  const at = replaced.indexOf(gone)
  const below = replaced[at - 1]
  const isLink = below?.by === 'link'
  const left = isLink
    ? { ...gone, before: { ...gone.before, text: below.before } }
    : below && { ...below, text: gone.text }
  const kept = [...replaced.slice(0, Math.max(0, at - 1)), ...(left ? [left] : []), ...replaced.slice(at + 1)]
  return { draft: { ...draft, replaced: kept }, isLess: !isLink }
}

type Task = Omit<LaunchDraft, 'replaced'>

function fieldsOf(draft: Task) {
  const fields = Object.entries(draft).filter(([name]) => name !== 'replaced')
  return fields.toSorted(([one], [other]) => one.localeCompare(other))
}

const tasksOf = (replaced: LaunchDraft['replaced']) => replaced.filter(each => each.by === 'task')
