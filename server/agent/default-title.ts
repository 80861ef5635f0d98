import type { ConversationId } from '../domain/ids.ts'

const MAX_LENGTH = 50
/** Of a line: marks are looked for in this much, so that no line takes long. */
const MAX_LOOKED_AT = 1_000

export function defaultTitle(id: ConversationId): string {
  return `Conversation ${id.slice(0, 5)}`
}

/** Neither by a person nor by its first message. A name made from that is a default one still, which the model may better. */
export function isUntitled(named: { id: ConversationId; title: string | null; title_is_default: boolean }): boolean {
  return named.title_is_default && (named.title === null || named.title === defaultTitle(named.id))
}

/** The first line that says something, without Markdown's marks, cut at a word to 50 characters. */
export function titleFromMessage(message: string): string | null {
  const line = message
    .split('\n')
    .map(withoutMarks)
    .find(text => /[\p{L}\p{N}]/u.test(text))
  if (!line) return firstLine(message)
  return shortened(line)
}

/** Of a message without a word. */
function firstLine(message: string): string | null {
  const line = message
    .split('\n')
    .map(text => text.trim())
    .find(text => text !== '')
  return line === undefined ? null : shortened(line)
}

function shortened(line: string): string {
  if (line.length <= MAX_LENGTH) return line
  const cut = line.slice(0, MAX_LENGTH - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** Emphasis counts only around whole words, and under lines only around several: `src/**`, `2*3*4` and `__init__` are meant. */
function withoutMarks(line: string): string {
  return line
    .trim()
    .slice(0, MAX_LOOKED_AT)
    .replace(/^\s*(?:```|~~~).*$/, '')
    .replace(/^\s*(?:(?:#{1,6}|>+|[-*+]|\d+[.)])\s+|\[[ xX]\]\s+)+/, '')
    .replace(/!?\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/(?<![\p{L}\p{N}/*`])(\*{1,3}|~~)(?=[^\s*/])(.+?)(?<=[^\s*/])\1(?![\p{L}\p{N}/*`])/gu, '$2')
    .replace(/(?<![\p{L}\p{N}_`])(_{1,2})(?=[^\s_])([^_]*\s[^_]*)(?<=[^\s_])\1(?![\p{L}\p{N}_`])/gu, '$2')
    .replace(/(`+)(.+?)\1/g, '$2')
    .replace(/^(?:\*{2}(?=[^\s/])|`+)|(?:(?<=[^\s/])\*{2}|`+)$/g, '')
    .trim()
}
