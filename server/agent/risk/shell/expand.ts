import type { DoubleQuotedChild, Word, WordPart } from 'unbash'
import { parse } from 'unbash'
import { bounded, HOLE } from '../holes.ts'
import { expandBraces } from './braces.ts'
import type { Desk } from './desk.ts'
import { lookup } from './lookup.ts'
import { runNested } from './nested.ts'
import { expandParameter } from './parameter.ts'
import { inSubshell } from './subshell.ts'

/** A part of a word. `split`: unquoted, so that the shell cuts it into words at IFS. */
interface Piece {
  text: string
  split: boolean
  /** `"$@"`: one word for each parameter */
  list?: readonly string[]
}

/** The words that a word becomes, with holes where they are not known. */
export function expandWord(desk: Desk, word: Word): string[] {
  desk.spend()
  if (word.parts?.some(part => part.type === 'BraceExpansion')) return expandAlternatives(desk, word)
  return toFields(piecesOf(desk, word), desk)
}

/** The text of a word where the shell does not split: assignments, redirections, here-documents. */
export function expandText(desk: Desk, word: Word): string {
  const text = join(piecesOf(desk, word))
  desk.spend(1 + Math.floor(text.length / 500))
  return text
}

export function expandParts(desk: Desk, parts: readonly WordPart[]): string {
  return join(parts.flatMap(part => pieceOf(desk, part)))
}

function expandAlternatives(desk: Desk, word: Word): string[] {
  for (const part of word.parts ?? []) runNested(desk, part)
  const texts = expandBraces(word.text)
  if (!texts) {
    desk.report('MEDIUM', 'Braces stand for more words than can be checked')
    return [HOLE.unknown]
  }
  return texts.flatMap(text => {
    desk.spend()
    const command = parse(`: ${text}`).commands[0]?.command
    const words = command?.type === 'Command' ? command.args : []
    return words.flatMap(each => (each.type === 'Word' ? toFields(piecesOf(desk, each), desk) : [each.text]))
  })
}

function piecesOf(desk: Desk, word: Word): Piece[] {
  if (!word.parts) return [{ text: word.value, split: false }]
  return word.parts.flatMap(part => pieceOf(desk, part))
}

function pieceOf(desk: Desk, part: WordPart): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: part.value, split: false }]
    case 'DoubleQuoted':
    case 'LocaleString':
      return quotedPieces(desk, part.parts)
    case 'ProcessSubstitution':
      return [{ text: substituteProcess(desk, part), split: false }]
    case 'Glob':
    case 'ExtendedGlob':
      runNested(desk, part)
      return [
        {
          text: part.type === 'Glob' && part.kind === 'question' ? '?' : part.type === 'Glob' ? part.text : '*',
          split: false,
        },
      ]
    case 'BraceExpansion':
      runNested(desk, part)
      return [{ text: part.text, split: false }]
    default:
      return [{ text: expansionOf(desk, part), split: true }]
  }
}

function quotedPieces(desk: Desk, parts: readonly DoubleQuotedChild[]): Piece[] {
  const only = parts.length === 1 ? parts[0] : undefined
  if (only && /^\$\{?@\}?$/.test(only.text)) return [{ text: '', split: false, list: desk.scope.positional }]
  if (only?.type === 'ParameterExpansion' && only.index?.value === '@' && !only.prefix && !only.operation) {
    return [{ text: '', split: false, list: lookup(desk, only.parameter).split(/\s+/).filter(Boolean) }]
  }
  return parts.length === 0
    ? [{ text: '', split: false }]
    : parts.map(part => ({ text: part.type === 'Literal' ? part.value : expansionOf(desk, part), split: false }))
}

type Expansion = Extract<
  WordPart,
  { type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' | 'ArithmeticExpansion' }
>

function expansionOf(desk: Desk, part: Expansion): string {
  switch (part.type) {
    case 'SimpleExpansion':
      return lookup(desk, part.text.slice(1))
    case 'ParameterExpansion':
      return expandParameter(desk, part, word => expandText(desk, word))
    case 'ArithmeticExpansion':
      runNested(desk, part)
      // Where it is no arithmetic, a shell may take it for a subshell.
      desk.onlyDangers(() => inSubshell(desk, () => desk.runText(part.text.slice(3, -2))))
      return HOLE.unknown
    case 'CommandExpansion':
      return bounded(substitute(desk, part.script).replace(/\n+$/, ''))
  }
}

function substitute(desk: Desk, script: Extract<WordPart, { type: 'CommandExpansion' }>['script']): string {
  if (!script) {
    desk.report('MEDIUM', 'A part of the command could not be read')
    return HOLE.unknown
  }
  return inSubshell(desk, () => desk.runScript(script))
}

/** `<(…)` is a file that holds what the commands print; `>(…)` one that gives them what is written to it. */
function substituteProcess(desk: Desk, part: Extract<WordPart, { type: 'ProcessSubstitution' }>): string {
  const script = part.script
  if (!script) return HOLE.unknown
  const input = part.operator === '>' ? HOLE.unknown : undefined
  const printed = inSubshell(desk, () => desk.runScript(script, input))
  const path = `/dev/fd/${63 + desk.scope.written.size}`
  desk.scope.written.set(path, part.operator === '<' ? printed : '')
  return path
}

function join(pieces: readonly Piece[]): string {
  return bounded(pieces.map(({ text, list }) => list?.join(' ') ?? text).join(''))
}

function toFields(pieces: readonly Piece[], desk: Desk): string[] {
  const separators = desk.scope.variables.get('IFS')?.join('') ?? ' \t\n'
  const fields: string[] = []
  let field: string | null = null
  for (const { text, split, list } of pieces) {
    const texts = list ?? (split ? cut(text, separators) : [text])
    texts.forEach((each, index) => {
      if (index > 0 && field !== null) {
        fields.push(field)
        field = null
      }
      if (!split || each !== '') field = (field ?? '') + each
    })
  }
  if (field !== null) fields.push(field)
  desk.spend(fields.reduce((steps, each) => steps + 1 + Math.floor(each.length / 500), 0))
  return fields.map(bounded)
}

/** Empty strings at either end say that the words beside do not touch. */
function cut(text: string, separators: string): string[] {
  const words = ['']
  for (const char of text) {
    if (!separators.includes(char)) words[words.length - 1] += char
    else if (words.at(-1) !== '' || words.length === 1) words.push('')
  }
  return words
}
