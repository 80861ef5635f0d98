import type { z } from 'zod'
import type { ValidationErrorBody } from '../../api/contract/errors.ts'
import { BOUNDS } from '../../domain/bounds.ts'

type Issue = z.core.$ZodIssue
type Item = ValidationErrorBody['detail'][number]

/** A request that does not fit its schema, in the specification's shape; the input is never echoed. */
export class ValidationError extends Error {
  readonly body: ValidationErrorBody

  constructor(body: ValidationErrorBody) {
    super('The request does not fit its schema.')
    this.body = body
  }

  static of(place: 'body' | 'query' | 'path', error: z.ZodError): ValidationError {
    const detail: Item[] = []
    for (const issue of error.issues) {
      if (detail.length >= BOUNDS.refusedFields.limit) break
      detail.push(...toItems([place], issue).slice(0, BOUNDS.refusedFields.limit - detail.length))
    }
    return new ValidationError({ detail })
  }

  /** A field that fits its schema but cannot be what it says. @param field its path, with dots */
  static ofField(field: string, msg: string): ValidationError {
    return new ValidationError({
      detail: [{ loc: ['body', ...field.split('.')], msg: `Value error, ${msg}`, type: 'value_error' }],
    })
  }

  static missing(field: string): ValidationError {
    return new ValidationError({ detail: [missing(['body', field])] })
  }

  /** The body is of another kind altogether. */
  static noJson(): ValidationError {
    return new ValidationError({ detail: [{ loc: ['body'], ...OBJECT_ITEM }] })
  }

  /** Refused before it was parsed. */
  static ofJson(problem: string): ValidationError {
    return new ValidationError({ detail: [{ loc: ['body'], msg: `Invalid JSON: ${problem}`, type: 'json_invalid' }] })
  }

  static malformedJson(offset: number): ValidationError {
    return new ValidationError({
      detail: [{ loc: ['body', String(offset)], msg: 'JSON decode error', type: 'json_invalid' }],
    })
  }
}

function toItems(prefix: string[], issue: Issue): Item[] {
  const loc = [...prefix, ...issue.path.map(String)]
  switch (issue.code) {
    case 'invalid_type':
      return [typeItem(loc, issue)]
    case 'invalid_value':
      return [
        issue.input === undefined
          ? missing(loc)
          : { loc, msg: `Input should be ${choices(issue.values)}`, type: 'enum' },
      ]
    case 'unrecognized_keys':
      return issue.keys.map(key => ({
        loc: [...loc, key],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      }))
    case 'invalid_key':
      // A key is always there, also where the issue does not carry it.
      return issue.issues.flatMap(inner =>
        toItems([...loc, '[key]'], Object.assign({}, inner, { input: inner.input ?? '', path: [] })),
      )
    case 'invalid_union':
      return unionItems(prefix, issue)
    case 'too_small':
    case 'too_big':
      return [boundItem(loc, issue)]
    case 'invalid_format':
      return [formatItem(loc, issue)]
    default:
      return [{ loc, msg: `Value error, ${issue.message}`, type: 'value_error' }]
  }
}

function unionItems(prefix: string[], issue: Extract<Issue, { code: 'invalid_union' }>): Item[] {
  const closest = issue.errors.find(errors => errors.length > 0)
  if (!closest)
    return [
      { loc: [...prefix, ...issue.path.map(String)], msg: 'Input has an unknown kind', type: 'union_tag_invalid' },
    ]
  return closest.flatMap(inner => toItems([...prefix, ...issue.path.map(String)], inner))
}

const OBJECT_ITEM = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
}

const TYPE_ITEMS: Record<string, { type: string; msg: string }> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  object: OBJECT_ITEM,
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
}

const PARSING: Record<string, { type: string; msg: string }> = {
  int: { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' },
  number: { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' },
  boolean: { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' },
}

function typeItem(loc: string[], issue: Extract<Issue, { code: 'invalid_type' }>): Item {
  if (issue.input === undefined) return missing(loc)
  if (issue.expected === 'int' && typeof issue.input === 'number') {
    return { loc, msg: 'Input should be a valid integer, got a number with a fractional part', type: 'int_from_float' }
  }
  const parsing = typeof issue.input === 'string' ? PARSING[issue.expected] : undefined
  return { loc, ...(parsing ?? TYPE_ITEMS[issue.expected] ?? { type: 'value_error', msg: 'Value error, wrong type' }) }
}

function missing(loc: string[]): Item {
  return { loc, msg: 'Field required', type: 'missing' }
}

function choices(values: readonly unknown[]): string {
  const quoted = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  const last = quoted.pop() ?? ''
  return quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : last
}

function boundItem(loc: string[], issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): Item {
  const small = issue.code === 'too_small'
  const bound = Number(small ? issue.minimum : issue.maximum)
  if (issue.origin === 'string') {
    const [word, type] = small ? ['at least', 'string_too_short'] : ['at most', 'string_too_long']
    return { loc, msg: `String should have ${word} ${bound} character${bound === 1 ? '' : 's'}`, type }
  }
  if (issue.origin === 'array') {
    const [word, type] = small ? ['at least', 'too_short'] : ['at most', 'too_long']
    return { loc, msg: `List should have ${word} ${bound} item${bound === 1 ? '' : 's'}`, type }
  }
  const exclusive = issue.inclusive === false
  const [word, type] = small
    ? [exclusive ? 'greater than' : 'greater than or equal to', exclusive ? 'greater_than' : 'greater_than_equal']
    : [exclusive ? 'less than' : 'less than or equal to', exclusive ? 'less_than' : 'less_than_equal']
  return { loc, msg: `Input should be ${word} ${bound}`, type }
}

function formatItem(loc: string[], issue: Extract<Issue, { code: 'invalid_format' }>): Item {
  if (issue.format === 'datetime')
    return { loc, msg: 'Input should be a valid datetime', type: 'datetime_from_date_parsing' }
  if (issue.format === 'uuid') return { loc, msg: 'Input should be a valid UUID', type: 'uuid_parsing' }
  return { loc, msg: 'Value error, the text does not have the expected form', type: 'value_error' }
}
