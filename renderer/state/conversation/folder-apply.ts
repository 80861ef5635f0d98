import type { FolderFile } from '../../../server/api/v1/conversation/folder/apply.ts'

/** `keep_mine`: the folder's file stays. `take_theirs`: the conversation's file replaces it. */
export const CHOICES = ['keep_mine', 'take_theirs'] as const
export type Choice = (typeof CHOICES)[number]
export type ChoiceByPath = Readonly<Record<string, Choice>>

/** Files that would be written. */
export function applicable(files: readonly FolderFile[], choices: ChoiceByPath): FolderFile[] {
  return files.filter(
    ({ state, path }) => state === 'fits' || (state === 'conflict' && choiceFor(choices, path) === 'take_theirs'),
  )
}

/** Conflicts that have no choice. */
export function openConflicts(files: readonly FolderFile[], choices: ChoiceByPath): FolderFile[] {
  return files.filter(({ state, path }) => state === 'conflict' && choiceFor(choices, path) === undefined)
}

/** Of the conflicts of now: one that was chosen for and has gone is nothing to be sent. */
export function toChoices(files: readonly FolderFile[], choices: ChoiceByPath): { path: string; choice: Choice }[] {
  return files.flatMap(({ state, path }) => {
    const choice = choiceFor(choices, path)
    return state === 'conflict' && choice ? [{ path, choice }] : []
  })
}

/** A path may be called as a method of every object. */
function choiceFor(choices: ChoiceByPath, path: string): Choice | undefined {
  return Object.hasOwn(choices, path) ? choices[path] : undefined
}
