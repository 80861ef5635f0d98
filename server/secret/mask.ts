import { encodedForms } from './encoded-forms.ts'

/** Hides known secret values in text. */
export interface Mask {
  /** Values under 6 characters are not hidden: they would tear ordinary text apart. */
  add(value: string): void
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

export const HIDDEN = '<secret-hidden>'
const SHORTEST = 6

export function createMask(values: Iterable<string> = []): Mask {
  const known = new Set<string>()
  const forms = new Set<string>()
  const firstCharacters = new Set<string>()
  let pattern: RegExp | undefined
  let longest = 0

  const add = (value: string): void => {
    if (value.length < SHORTEST || known.has(value)) return
    known.add(value)
    for (const form of encodedForms(value)) {
      if (form.length < SHORTEST) continue
      forms.add(form)
      firstCharacters.add(form.charAt(0))
      longest = Math.max(longest, form.length)
    }
    pattern = undefined
  }
  const mask = (text: string): string => {
    if (forms.size === 0) return text
    pattern ??= alternatives(forms)
    return text.replace(pattern, HIDDEN)
  }
  const matches = (text: string): Iterable<RegExpExecArray> => {
    if (forms.size === 0) return []
    pattern ??= alternatives(forms)
    return text.matchAll(pattern)
  }
  /** How much of `text` can be shown: up to where a form begins that may go on after it. */
  const shownEnd = (text: string): number => {
    let end = Math.max(0, text.length - longest + 1)
    while (end < text.length && !beginsForm(text.slice(end))) end++
    for (const match of matches(text)) {
      if (match.index < end && end < match.index + match[0].length) return match.index
    }
    return end
  }
  const beginsForm = (tail: string): boolean => {
    if (!firstCharacters.has(tail.charAt(0))) return false
    for (const form of forms) if (form.length > tail.length && form.startsWith(tail)) return true
    return false
  }
  const growing = (text: string) => {
    const end = shownEnd(text)
    return { shown: mask(text.slice(0, end)), held: text.slice(end) }
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
  return { add, mask, growing, stream }
}

/** The longest form first, as one may begin with another. */
function alternatives(forms: Set<string>): RegExp {
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(form => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'g')
}
