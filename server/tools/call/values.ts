import { z } from 'zod'
import { SECURITY_RISKS } from '../../api/v1/conversation/confirmation.ts'
import { parseTolerantly } from './json.ts'

/** Brings each value to the type that the parameter has, where what is meant is plain. Unknown parameters are dropped. */
export function repairValues(parameters: z.ZodObject, given: Record<string, unknown>): Record<string, unknown> {
  const repaired: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(parameters.shape)) {
    const value = given[name]
    const optional = schema.safeParse(undefined).success
    if (value === undefined || (optional && isNothing(value))) continue
    repaired[name] = repairValue(innermost(schema), value)
  }
  const risk = riskOf(given)
  return risk && 'security_risk' in parameters.shape ? { ...repaired, security_risk: risk } : repaired
}

function isNothing(value: unknown): boolean {
  return value === null || value === 'null' || value === 'None'
}

function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return innermost(schema.unwrap())
  }
  return schema
}

function repairValue(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodString) return toText(value)
  if (schema instanceof z.ZodBoolean) return toBoolean(value)
  if (schema instanceof z.ZodNumber) return toNumber(value)
  if (schema instanceof z.ZodEnum && typeof value === 'string') return toOption(schema, value)
  if (schema instanceof z.ZodArray) return toList(value).map(item => repairValue(innermost(schema.element), item))
  if (schema instanceof z.ZodObject) return toRecord(schema, value)
  return value
}

function toRecord(schema: z.ZodObject, value: unknown): unknown {
  const given = typeof value === 'string' ? parseTolerantly(value) : value
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return value
  return repairValues(schema, { ...given })
}

/** Some models send a long text in pieces. */
function toText(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && value.every(piece => typeof piece === 'string')) return value.join('')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
  '': false,
}

function toBoolean(value: unknown): unknown {
  return BOOLEANS[String(value).trim().toLowerCase()] ?? value
}

/** A number or an option is never longer. */
const MAX_WORD_LENGTH = 100

function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_WORD_LENGTH || value.trim() === '') return value
  const number = Number(value.trim().replace(/\s*s(?:ec(?:ond)?s?)?$/i, ''))
  return Number.isNaN(number) ? value : number
}

/** Other words for an option, where that exists. */
const SAME_OPTION: Readonly<Record<string, string>> = {
  pending: 'todo',
  not_started: 'todo',
  doing: 'in_progress',
  active: 'in_progress',
  completed: 'done',
  complete: 'done',
  finished: 'done',
  read: 'view',
  open: 'view',
  write: 'create',
  replace: 'str_replace',
  edit: 'str_replace',
  undo: 'undo_edit',
}

function toOption(schema: z.ZodEnum, value: string): string {
  if (value.length > MAX_WORD_LENGTH) return value
  const wanted = value
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const options = schema.options.map(String)
  const find = (name: string | undefined) => options.find(option => option.toLowerCase() === name)
  return find(wanted) ?? find(SAME_OPTION[wanted]) ?? value
}

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return [value]
  const parsed = /^\s*[[{]/.test(value) ? parseTolerantly(value) : undefined
  if (parsed !== undefined) return Array.isArray(parsed) ? parsed : [parsed]
  const range = /^\s*(\d+)\s*(?:-|:|\.\.)\s*(-?\d+)\s*$/.exec(value)
  return range ? range.slice(1) : value.split(',').map(item => item.trim())
}

/** Under whatever name it comes; a risk that cannot be read is unknown, it never makes a call fail. */
function riskOf(given: Record<string, unknown>): (typeof SECURITY_RISKS)[number] | undefined {
  const key = Object.keys(given).find(name => /^se[a-z]*[-_ ]?risks?$/i.test(name))
  if (key === undefined) return undefined
  const wanted = String(given[key]).trim().toUpperCase()
  return SECURITY_RISKS.find(risk => risk === wanted) ?? 'UNKNOWN'
}
