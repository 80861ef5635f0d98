import type { Token } from '../../../../ui/code/kinds.ts'
import { languageOf } from '../../../../ui/code/languages.ts'
import { useColours } from '../../../../ui/code/use-colours.ts'
import type { DiffLine } from './diff-lines.ts'

/** Finds the tokens of a line of a diff, once they are known. */
export type LineColours = (line: DiffLine) => readonly Token[] | undefined

/** Of both texts as wholes: what a line is may depend on one far above it. */
export function useDiffColours(path: string, before: string, after: string): LineColours {
  const language = languageOf(path)
  const old = useColours(before, language)
  const now = useColours(after, language)
  return line => (line.after !== null ? now[line.after - 1] : line.before !== null ? old[line.before - 1] : undefined)
}
