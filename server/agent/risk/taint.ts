import { BOUNDS } from '../../domain/bounds.ts'

/**
 * Text that is not known before the command runs. It stands in strings as one private-use character that says where
 * the text will come from, so that it travels through variables, quotes, pipes and `eval` by itself.
 */
export const TAINT = {
  unknown: '\uE000',
  network: '\uE001',
  secret: '\uE002',
  file: '\uE003',
  /** a variable whose name says that it holds a secret */
  token: '\uE004',
  /** the output of a decoder or of an edit: known in principle, hidden from the reader */
  encoded: '\uE005',
} as const
export type Taint = keyof typeof TAINT

const ANY = /[\uE000-\uE005]/g
const ALL = Object.values(TAINT)

export function hasTaint(text: string): boolean {
  return text.search(ANY) >= 0
}

export function contains(text: string, ...kinds: Taint[]): boolean {
  return kinds.some(kind => text.includes(TAINT[kind]))
}

export function withoutTaint(text: string): string {
  return text.replace(ANY, '')
}

/** The taints of a text, each once: where its data comes from. */
export function originsOf(text: string): string {
  return ALL.filter(taint => text.includes(taint)).join('')
}

/** For a person: a taint reads as an ellipsis. */
export function readable(text: string): string {
  return text.replace(ANY, '…').replace(/\s+/g, ' ').trim()
}

/** A command's own private-use characters must not be taken for taints. */
export function escapeTaint(text: string): string {
  return text.replace(ANY, '\uFFFD')
}

/** Keeps texts that double themselves from growing without end. */
export function bounded(text: string): string {
  const { limit } = BOUNDS.checkedCommand
  return text.length > limit ? text.slice(0, limit) + TAINT.unknown + originsOf(text) : text
}
