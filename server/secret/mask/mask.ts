import { HIDDEN } from '../../api/contract/hidden-values.ts'
import { codesOf, formsOf } from './encoded-forms.ts'
import { EncodedRuns, type Run } from './encoded-runs.ts'
import { TextHashes } from './text-hashes.ts'
import { WholeForms } from './whole-forms.ts'

/** Hides known secret values in text. */
export interface Mask {
  /** Values under 6 characters are not hidden: they would tear ordinary text apart. */
  add(value: string): void
  /** Every value that is hidden, for a thread that makes a mask of its own. */
  values(): string[]
  mask(text: string): string
  /** For text that may go on: what can be shown of it, masked, and the end that may be the beginning of a value. */
  growing(text: string): { shown: string; held: string }
  /** For text that comes in pieces: a value may lie across two of them. */
  stream(): MaskStream
}

export interface MaskStream {
  /** What can be shown now. The start of what may become a value is held back until the next piece or the end. */
  push(chunk: string): string
  /** What was held back. Also to be called when the source is quiet, so that nothing stays hidden for long. */
  flush(): string
}

const MIN_LENGTH = 6
/** Shorter codes are found as a whole. */
const MIN_LENGTH_IN_PARTS = 24

/**
 * Adding a value costs its length, and masking the length of the text, however many values there are and whatever is in
 * them: both can be chosen by somebody who means harm.
 */
export function createMask(values: Iterable<string> = []): Mask {
  const known = new Set<string>()
  const forms = new WholeForms()
  const runs = new EncodedRuns()
  let longest = 0

  const add = (value: string): void => {
    if (value.length < MIN_LENGTH || known.has(value)) return
    known.add(value)
    for (const form of formsOf(value)) {
      forms.add(form)
      longest = Math.max(longest, form.length)
    }
    for (const code of codesOf(value)) {
      longest = Math.max(longest, code.length)
      if (code.length < MIN_LENGTH_IN_PARTS) {
        forms.add(code)
      } else {
        runs.add(code)
        forms.addBeginning(code)
      }
    }
  }
  /** What is to be hidden, in order; those that overlap are one. */
  const find = (text: string, hashes: TextHashes): Run[] => {
    const found: Run[] = []
    let runEnd = 0
    for (let at = 0; at < text.length; at++) {
      const length = forms.longestAt(hashes, at)
      if (length > 0) merge(found, { start: at, end: at + length, mayGoOn: false })
      const run = at < runEnd ? undefined : runs.around(text, hashes, at, runEnd)
      if (!run) continue
      merge(found, run)
      runEnd = run.end
    }
    return found
  }
  const mask = (text: string): string => {
    if (known.size === 0 || text.length < MIN_LENGTH) return text
    return hidden(text, find(text, new TextHashes(text)), text.length)
  }
  const growing = (text: string) => {
    if (known.size === 0) return { shown: text, held: '' }
    const hashes = new TextHashes(text)
    const found = find(text, hashes)
    let end = Math.max(0, text.length - longest + 1)
    while (end < text.length && !forms.mayGoOn(hashes, end)) end++
    // From the last one on: what has to be held back may reach into those before.
    for (const { start, end: to, mayGoOn } of found.toReversed()) {
      if (start < end && (mayGoOn || end < to)) end = start
    }
    return { shown: hidden(text, found, end), held: text.slice(end) }
  }
  const stream = (): MaskStream => {
    let held = ''
    return {
      push: chunk => {
        const { shown, held: rest } = growing(held + chunk)
        held = rest
        return shown
      },
      flush: () => {
        const text = mask(held)
        held = ''
        return text
      },
    }
  }
  for (const value of values) add(value)
  return { add, values: () => [...known], mask, growing, stream }
}

/** The same run, where it overlaps the last ones. */
function merge(found: Run[], run: Run): void {
  let { start, end, mayGoOn } = run
  for (let last = found.at(-1); last && start < last.end; last = found.at(-1)) {
    if (last.end > end) mayGoOn = last.mayGoOn
    else if (last.end === end) mayGoOn ||= last.mayGoOn
    start = Math.min(start, last.start)
    end = Math.max(end, last.end)
    found.pop()
  }
  found.push({ start, end, mayGoOn })
}

function hidden(text: string, found: readonly Run[], end: number): string {
  let shown = ''
  let at = 0
  for (const run of found) {
    if (run.start >= end) break
    shown += text.slice(at, run.start) + HIDDEN
    at = run.end
  }
  return shown + text.slice(at, Math.max(at, end))
}
