import type { z } from 'zod'

const TRUE = new Set(['true', '1', 'yes', 'on', 't', 'y'])
const FALSE = new Set(['false', '0', 'no', 'off', 'f', 'n'])
/** Nobody means more values in another way, and each change is checked again. */
const MAX_CHANGES = 1000

/**
 * Parses as existing clients expect (pydantic's lax mode): "100" and 2.0 are integers, "yes" is true, a time without a
 * zone is in UTC, and in a query a single value is a list of one. Schemas stay strict; values are changed only where the
 * strict parse names a mismatch.
 */
export function parseLax<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  place: 'body' | 'query' | 'path' = 'body',
): z.ZodSafeParseResult<z.output<Schema>> {
  const first = schema.safeParse(input, { reportInput: true })
  if (first.success) return first
  const changed = withReplacements(input, first.error, issue => coerced(issue, place))
  const second = changed === undefined ? first : schema.safeParse(changed.value, { reportInput: true })
  if (!second.success) nameIntegers(schema, input, second.error)
  return second
}

/** A copy with new values where issues ask for them; undefined when none does. */
function withReplacements(
  input: unknown,
  error: z.ZodError,
  replace: (issue: Issue) => unknown,
): { value: unknown } | undefined {
  const issues = flatIssues(error.issues)
  if (issues.length > MAX_CHANGES) return undefined
  const root = { value: structuredClone(input) }
  const changes = issues.map(issue => {
    const replacement = replace(issue)
    return replacement !== undefined && setAt(root, ['value', ...issue.path], replacement)
  })
  return changes.includes(true) ? root : undefined
}

/** Zod first asks for any number and only then for a whole one; clients read which it was. */
function nameIntegers(schema: z.ZodType, input: unknown, error: z.ZodError): void {
  const wantsNumber = (issue: Issue) => (issue.code === 'invalid_type' && issue.expected === 'number' ? 0.5 : undefined)
  const probe = withReplacements(input, error, wantsNumber)
  const answer = probe && schema.safeParse(probe.value)
  if (!answer || answer.success) return
  const whole = flatIssues(answer.error.issues).filter(
    issue => issue.code === 'invalid_type' && issue.expected === 'int',
  )
  const paths = new Set(whole.map(issue => JSON.stringify(issue.path)))
  for (const issue of error.issues) {
    if (issue.code === 'invalid_type' && paths.has(JSON.stringify(issue.path)))
      Object.assign(issue, { expected: 'int' })
  }
}

type Issue = z.core.$ZodIssue

function flatIssues(issues: readonly Issue[]): Issue[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'invalid_union') return [issue]
    const closest = issue.errors.find(errors => errors.length > 0) ?? []
    return closest.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] }))
  })
}

function coerced(issue: Issue, place: 'body' | 'query' | 'path'): unknown {
  if (issue.code === 'invalid_format' && issue.format === 'datetime') return toZonedTime(issue.input)
  if (issue.code !== 'invalid_type') return undefined
  const { input } = issue
  switch (issue.expected) {
    case 'int':
    case 'number':
      return typeof input === 'string' && /^[+-]?\d+(\.\d+)?$/.test(input.trim()) ? Number(input) : undefined
    case 'boolean':
      return toBoolean(input)
    case 'array':
      return place === 'query' && typeof input === 'string' ? [input] : undefined
    default:
      return undefined
  }
}

function toBoolean(input: unknown): boolean | undefined {
  const text = typeof input === 'number' || typeof input === 'string' ? String(input).toLowerCase() : ''
  if (TRUE.has(text)) return true
  if (FALSE.has(text)) return false
  return undefined
}

/** A date alone is its beginning, and so is a minute. */
function toZonedTime(input: unknown): string | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}[\d:.]*))?([Zz]|[+-]\d{2}:?\d{2})?$/.exec(String(input))
  if (!parts) return undefined
  const [, date, time = '00:00:00', zone = 'Z'] = parts
  return `${date}T${time.padEnd(8, ':00')}${zone.toUpperCase().replace(/^(.\d{2})(\d{2})$/, '$1:$2')}`
}

function setAt(root: object, path: PropertyKey[], value: unknown): boolean {
  let holder: unknown = root
  for (const key of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return false
    holder = Reflect.get(holder, key)
  }
  const last = path.at(-1)
  if (typeof holder !== 'object' || holder === null || last === undefined) return false
  return Reflect.set(holder, last, value)
}
