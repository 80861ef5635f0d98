import { posix } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import { SKILL_LIMITS, type Skill } from '../domain/skill.ts'
import { matchesPath } from './path-pattern.ts'
import { blockOf, givenName } from './skill-text.ts'

export interface Activation {
  names: string[]
  /** One for each name, for the model. */
  blocks: string[]
}

/** More at once would bury what was said. */
const MAX_AT_ONCE = 10

/**
 * The skills that a message, or the files that a tool touched, make active. Pure.
 * @param given.paths absolute, in the sandbox
 * @param given.already names that the model has been given, from `givenSkills`
 */
export function activateSkills(
  skills: readonly Skill[],
  given: { text?: string; paths?: readonly string[]; already: ReadonlySet<string> },
): Activation {
  const activation: Activation = { names: [], blocks: [] }
  const text = comparable((given.text ?? '').slice(0, BOUNDS.skillText.limit))
  let room: number = SKILL_LIMITS.alwaysCharacters
  for (const skill of skills) {
    if (given.already.has(givenName(skill))) continue
    const why = reasonFor(skill, text, given.paths ?? [])
    if (why === null) continue
    const block = blockOf(skill, why)
    if (activation.names.length === MAX_AT_ONCE || block.length > room) break
    room -= block.length
    activation.names.push(givenName(skill))
    activation.blocks.push(block)
  }
  return activation
}

function reasonFor({ activation, name }: Skill, text: string, paths: readonly string[]): string | null {
  if (activation.kind === 'paths') {
    const { patterns, base } = activation
    const path = paths.find(each => patterns.some(pattern => matchesBelow(base, pattern, each)))
    return path === undefined ? null : `${path} was touched`
  }
  if (activation.kind === 'always' || text === '') return null
  const words = activation.kind === 'words' ? activation.words : []
  const said = [...words, `/${name}`].find(word => findsWord(text, word))
  return said === undefined ? null : `the message says "${said}"`
}

function matchesBelow(base: string, pattern: string, path: string): boolean {
  const relative = posix.relative(base, path)
  return relative !== '' && !/^\.\.(\/|$)/.test(relative) && matchesPath(pattern, relative)
}

/** What `findsWord` compares: in small letters, with one space for any white space. */
export function comparable(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ')
}

/**
 * Whether a text says a word as a word of its own, in any case; spaces in it stand for any white space. Scripts that write
 * without spaces have no words in this sense. A `/command` stands alone, so that no path is one.
 * @param said as `comparable` makes it: once for all words, since a repository may bring thousands
 */
export function findsWord(said: string, word: string): boolean {
  const wanted = comparable(word.trim())
  const standsAlone = wanted.startsWith('/') ? isCommandAt : isWordAt
  for (let at = said.indexOf(wanted); at >= 0; at = said.indexOf(wanted, at + 1)) {
    if (standsAlone(said, at, at + wanted.length)) return true
  }
  return false
}

function isCommandAt(text: string, start: number, end: number): boolean {
  return (start === 0 || text[start - 1] === ' ') && /^(?:[\s.,;:!?)]|$)/.test(text.slice(end, end + 1))
}

function isWordAt(text: string, start: number, end: number): boolean {
  // Two code units: a letter may be as long as that.
  return !LETTER_BEFORE.test(text.slice(Math.max(0, start - 2), start)) && !LETTER_AFTER.test(text.slice(end, end + 2))
}

const LETTER =
  '[[\\p{L}\\p{M}\\p{N}_]--[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}]]'
const LETTER_BEFORE = new RegExp(`${LETTER}$`, 'v')
const LETTER_AFTER = new RegExp(`^${LETTER}`, 'v')
