import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash'
import { HOLE, hasHole, originsOf } from '../holes.ts'
import type { Desk } from './desk.ts'
import { lookup } from './lookup.ts'
import { runNested } from './nested.ts'
import { assign } from './scope.ts'

/** `${name…}`. What is not worked out leaves a hole, never the unchanged value. */
export function expandParameter(desk: Desk, part: ParameterExpansionPart, expand: (word: Word) => string): string {
  if (part.index) runNested(desk, part.index)
  const value = lookup(desk, part.parameter)
  if (part.prefix === '#') return HOLE.unknown
  if (part.prefix === '!') return hasHole(value) || part.operation ? HOLE.unknown : lookup(desk, value)
  return part.operation ? operate(desk, { name: part.parameter, value, operation: part.operation }, expand) : value
}

interface Operating {
  name: string
  value: string
  operation: ParameterOperation
}

function operate(desk: Desk, { name, value, operation }: Operating, expand: (word: Word) => string): string {
  switch (operation.type) {
    case 'Default':
      return orDefault(desk, { name, value, operator: operation.operator, other: expand(operation.operand) })
    case 'Slice':
      return slice(value, expand(operation.offset), operation.length ? expand(operation.length) : null)
    case 'CaseModification':
      return changeCase(value, operation.operator, operation.operand !== undefined)
    case 'Replace':
      return replace(value, expand(operation.pattern), expand(operation.replacement), operation.operator)
    case 'Remove':
      return remove(value, expand(operation.operand), operation.operator)
    default:
      return HOLE.unknown + originsOf(value)
  }
}

/** The given text is what an attacker controls, so it stands for a value that is not known. */
function orDefault(desk: Desk, from: { name: string; value: string; operator: string; other: string }): string {
  const { name, value, operator, other } = from
  if (operator.endsWith('+')) return other
  if (operator.endsWith('?')) return value
  const known = value !== '' && !hasHole(value)
  if (operator.endsWith('=') && !known) assign(desk.scope, name, other)
  return known ? value : other
}

function slice(value: string, offset: string, length: string | null): string {
  const from = Number(offset)
  const count = length === null ? Number.POSITIVE_INFINITY : Number(length)
  if (!Number.isInteger(from) || from < 0 || Number.isNaN(count) || count < 0) return HOLE.unknown + originsOf(value)
  const cut = value.slice(from, from + count)
  return hasHole(value.slice(0, from)) ? HOLE.unknown + originsOf(value) : cut
}

function changeCase(value: string, operator: string, onlySome: boolean): string {
  if (onlySome) return HOLE.unknown
  if (operator === '^^') return value.toUpperCase()
  if (operator === ',,') return value.toLowerCase()
  const first = value.slice(0, 1)
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1)
}

const PATTERN = /[*?[\]\\]/

function replace(value: string, pattern: string, replacement: string, operator: string): string {
  if (PATTERN.test(pattern) || hasHole(value) || (operator.length > 1 && operator !== '//')) {
    return HOLE.unknown + originsOf(value)
  }
  if (pattern === '') return value
  return operator === '//' ? value.split(pattern).join(replacement) : value.replace(pattern, () => replacement)
}

function remove(value: string, pattern: string, operator: string): string {
  if (PATTERN.test(pattern)) return HOLE.unknown + originsOf(value)
  if (operator.startsWith('#')) return value.startsWith(pattern) ? value.slice(pattern.length) : value
  return pattern !== '' && value.endsWith(pattern) ? value.slice(0, -pattern.length) : value
}
