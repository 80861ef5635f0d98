import type { DoubleQuotedChild, Word, WordPart } from 'unbash'
import { parse } from 'unbash'
import { bounded, TAINT } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'
import { expandBraces } from './braces.ts'
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

/** The words that a word becomes, with taints where they are not known. */
export function expandWord(analysis: ShellAnalysis, word: Word): string[] {
  analysis.consumeBudget()
  if (word.parts?.some(part => part.type === 'BraceExpansion')) return expandAlternatives(analysis, word)
  return toFields(piecesOf(analysis, word), analysis)
}

/** The text of a word where the shell does not split: assignments, redirections, here-documents. */
export function expandText(analysis: ShellAnalysis, word: Word): string {
  const text = join(piecesOf(analysis, word))
  analysis.consumeBudget(1 + Math.floor(text.length / 500))
  return text
}

export function expandParts(analysis: ShellAnalysis, parts: readonly WordPart[]): string {
  return join(parts.flatMap(part => pieceOf(analysis, part)))
}

function expandAlternatives(analysis: ShellAnalysis, word: Word): string[] {
  for (const part of word.parts ?? []) runNested(analysis, part)
  const texts = expandBraces(word.text)
  if (!texts) {
    analysis.report('MEDIUM', 'Braces stand for more words than can be checked')
    return [TAINT.unknown]
  }
  return texts.flatMap(text => {
    analysis.consumeBudget()
    const command = parse(`: ${text}`).commands[0]?.command
    const words = command?.type === 'Command' ? command.args : []
    return words.flatMap(each => (each.type === 'Word' ? toFields(piecesOf(analysis, each), analysis) : [each.text]))
  })
}

function piecesOf(analysis: ShellAnalysis, word: Word): Piece[] {
  if (!word.parts) return [{ text: word.value, split: false }]
  return word.parts.flatMap(part => pieceOf(analysis, part))
}

function pieceOf(analysis: ShellAnalysis, part: WordPart): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: part.value, split: false }]
    case 'DoubleQuoted':
    case 'LocaleString':
      return quotedPieces(analysis, part.parts)
    case 'ProcessSubstitution':
      return [{ text: substituteProcess(analysis, part), split: false }]
    case 'Glob':
    case 'ExtendedGlob':
      runNested(analysis, part)
      return [
        {
          text: part.type === 'Glob' && part.kind === 'question' ? '?' : part.type === 'Glob' ? part.text : '*',
          split: false,
        },
      ]
    case 'BraceExpansion':
      runNested(analysis, part)
      return [{ text: part.text, split: false }]
    default:
      return [{ text: expansionOf(analysis, part), split: true }]
  }
}

function quotedPieces(analysis: ShellAnalysis, parts: readonly DoubleQuotedChild[]): Piece[] {
  const only = parts.length === 1 ? parts[0] : undefined
  if (only && /^\$\{?@\}?$/.test(only.text)) return [{ text: '', split: false, list: analysis.scope.positional }]
  if (only?.type === 'ParameterExpansion' && only.index?.value === '@' && !only.prefix && !only.operation) {
    return [{ text: '', split: false, list: lookup(analysis, only.parameter).split(/\s+/).filter(Boolean) }]
  }
  return parts.length === 0
    ? [{ text: '', split: false }]
    : parts.map(part => ({ text: part.type === 'Literal' ? part.value : expansionOf(analysis, part), split: false }))
}

type Expansion = Extract<
  WordPart,
  { type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' | 'ArithmeticExpansion' }
>

function expansionOf(analysis: ShellAnalysis, part: Expansion): string {
  switch (part.type) {
    case 'SimpleExpansion':
      return lookup(analysis, part.text.slice(1))
    case 'ParameterExpansion':
      return expandParameter(analysis, part, word => expandText(analysis, word))
    case 'ArithmeticExpansion':
      runNested(analysis, part)
      // Where it is no arithmetic, a shell may take it for a subshell.
      analysis.onlyHighRisk(() => inSubshell(analysis, () => analysis.runText(part.text.slice(3, -2))))
      return TAINT.unknown
    case 'CommandExpansion':
      return bounded(substitute(analysis, part.script).replace(/\n+$/, ''))
  }
}

function substitute(
  analysis: ShellAnalysis,
  script: Extract<WordPart, { type: 'CommandExpansion' }>['script'],
): string {
  if (!script) {
    analysis.report('MEDIUM', 'A part of the command could not be read')
    return TAINT.unknown
  }
  return inSubshell(analysis, () => analysis.runScript(script))
}

/** `<(…)` is a file that holds what the commands print; `>(…)` one that gives them what is written to it. */
function substituteProcess(analysis: ShellAnalysis, part: Extract<WordPart, { type: 'ProcessSubstitution' }>): string {
  const script = part.script
  if (!script) return TAINT.unknown
  const input = part.operator === '>' ? TAINT.unknown : undefined
  const printed = inSubshell(analysis, () => analysis.runScript(script, input))
  const path = `/dev/fd/${63 + analysis.scope.written.size}`
  analysis.scope.written.set(path, part.operator === '<' ? printed : '')
  return path
}

function join(pieces: readonly Piece[]): string {
  return bounded(pieces.map(({ text, list }) => list?.join(' ') ?? text).join(''))
}

function toFields(pieces: readonly Piece[], analysis: ShellAnalysis): string[] {
  const separators = analysis.scope.variables.get('IFS')?.join('') ?? ' \t\n'
  const fields: string[] = []
  let field: string | null = null
  for (const { text, split, list } of pieces) {
    const texts = list ?? (split ? splitFields(text, separators) : [text])
    texts.forEach((each, index) => {
      if (index > 0 && field !== null) {
        fields.push(field)
        field = null
      }
      if (!split || each !== '') field = (field ?? '') + each
    })
  }
  if (field !== null) fields.push(field)
  analysis.consumeBudget(fields.reduce((steps, each) => steps + 1 + Math.floor(each.length / 500), 0))
  return fields.map(bounded)
}

/** Empty strings at either end say that the words beside do not touch. */
function splitFields(text: string, separators: string): string[] {
  const words = ['']
  for (const char of text) {
    if (!separators.includes(char)) words[words.length - 1] += char
    else if (words.at(-1) !== '' || words.length === 1) words.push('')
  }
  return words
}
