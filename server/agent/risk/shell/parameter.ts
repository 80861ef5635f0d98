import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash'
import { hasTaint, originsOf, TAINT } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'
import { lookup } from './lookup.ts'
import { runNested } from './nested.ts'
import { assign } from './scope.ts'

/** `${name…}`. What is not worked out becomes a taint, never the unchanged value. */
export function expandParameter(
  analysis: ShellAnalysis,
  part: ParameterExpansionPart,
  expand: (word: Word) => string,
): string {
  if (part.index) runNested(analysis, part.index)
  const value = lookup(analysis, part.parameter)
  if (part.prefix === '#') return TAINT.unknown
  if (part.prefix === '!') return hasTaint(value) || part.operation ? TAINT.unknown : lookup(analysis, value)
  return part.operation ? operate(analysis, { name: part.parameter, value, operation: part.operation }, expand) : value
}

interface Operating {
  name: string
  value: string
  operation: ParameterOperation
}

function operate(
  analysis: ShellAnalysis,
  { name, value, operation }: Operating,
  expand: (word: Word) => string,
): string {
  switch (operation.type) {
    case 'Default':
      return orDefault(analysis, { name, value, operator: operation.operator, other: expand(operation.operand) })
    case 'Slice':
      return slice(value, expand(operation.offset), operation.length ? expand(operation.length) : null)
    case 'CaseModification':
      return changeCase(value, operation.operator, operation.operand !== undefined)
    case 'Replace':
      return replace(value, expand(operation.pattern), expand(operation.replacement), operation.operator)
    case 'Remove':
      return remove(value, expand(operation.operand), operation.operator)
    default:
      return TAINT.unknown + originsOf(value)
  }
}

/** The given text is what an attacker controls, so it stands for a value that is not known. */
function orDefault(
  analysis: ShellAnalysis,
  from: { name: string; value: string; operator: string; other: string },
): string {
  const { name, value, operator, other } = from
  if (operator.endsWith('+')) return other
  if (operator.endsWith('?')) return value
  const known = value !== '' && !hasTaint(value)
  if (operator.endsWith('=') && !known) assign(analysis.scope, name, other)
  return known ? value : other
}

function slice(value: string, offset: string, length: string | null): string {
  const from = Number(offset)
  const count = length === null ? Number.POSITIVE_INFINITY : Number(length)
  if (!Number.isInteger(from) || from < 0 || Number.isNaN(count) || count < 0) return TAINT.unknown + originsOf(value)
  const cut = value.slice(from, from + count)
  return hasTaint(value.slice(0, from)) ? TAINT.unknown + originsOf(value) : cut
}

function changeCase(value: string, operator: string, onlySome: boolean): string {
  if (onlySome) return TAINT.unknown
  if (operator === '^^') return value.toUpperCase()
  if (operator === ',,') return value.toLowerCase()
  const first = value.slice(0, 1)
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1)
}

const PATTERN = /[*?[\]\\]/

function replace(value: string, pattern: string, replacement: string, operator: string): string {
  if (PATTERN.test(pattern) || hasTaint(value) || (operator.length > 1 && operator !== '//')) {
    return TAINT.unknown + originsOf(value)
  }
  if (pattern === '') return value
  return operator === '//' ? value.split(pattern).join(replacement) : value.replace(pattern, () => replacement)
}

function remove(value: string, pattern: string, operator: string): string {
  if (PATTERN.test(pattern)) return TAINT.unknown + originsOf(value)
  if (operator.startsWith('#')) return value.startsWith(pattern) ? value.slice(pattern.length) : value
  return pattern !== '' && value.endsWith(pattern) ? value.slice(0, -pattern.length) : value
}
