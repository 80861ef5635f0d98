import type { z } from 'zod'

const TRUE = new Set(['true', '1', 'yes', 'on', 't', 'y'])
const FALSE = new Set(['false', '0', 'no', 'off', 'f', 'n'])

/**
 * Parses as existing clients expect (pydantic's lax mode): "100" and 2.0 are integers, "yes" is true, a single query
 * value is a list of one. Schemas stay strict; values are changed only where the strict parse names a type mismatch.
 */
export function parseLax<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const first = schema.safeParse(input, { reportInput: true })
  if (first.success) return first
  let changed = false
  const copy = structuredClone(input)
  const root = { value: copy }
  for (const issue of flatIssues(first.error.issues)) {
    const replacement = coerced(issue)
    if (replacement === undefined) continue
    changed = setAt(root, ['value', ...issue.path], replacement) || changed
  }
  return changed ? schema.safeParse(root.value, { reportInput: true }) : first
}

type Issue = z.core.$ZodIssue

function flatIssues(issues: readonly Issue[]): Issue[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'invalid_union') return [issue]
    const closest = issue.errors.find(errors => errors.length > 0) ?? []
    return closest.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] }))
  })
}

function coerced(issue: Issue): unknown {
  if (issue.code !== 'invalid_type') return undefined
  const { input } = issue
  switch (issue.expected) {
    case 'int':
    case 'number':
      return typeof input === 'string' && /^[+-]?\d+(\.\d+)?$/.test(input.trim()) ? Number(input) : undefined
    case 'boolean':
      return toBoolean(input)
    case 'array':
      return typeof input === 'string' ? [input] : undefined
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
