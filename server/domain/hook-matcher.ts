import { RE2JS } from 're2js'
import { BOUNDS } from './bounds.ts'

const EXPRESSION = /[\\^$.*+?()[\]{}|]/

/**
 * Whether hooks are for a tool: `*`, an exact name, or a regular expression for the whole name (also as `/…/`, for a part
 * of it). It comes with a repository, so it is matched in time that grows with the name. What `matcherProblem` refuses
 * matches nothing.
 */
export function matchesTool(matcher: string | null | undefined, tool: string): boolean {
  if (!matcher || matcher === '*' || matcher === tool) return true
  const expression = expressionOf(matcher)
  if (expression === null) return false
  try {
    return compiled(expression).test(tool)
  } catch {
    return false
  }
}

/** Why a matcher can match nothing, as the end of a sentence; null when it is understood. */
export function matcherProblem(matcher: string | null | undefined): string | null {
  const expression = matcher && matcher !== '*' ? expressionOf(matcher) : null
  if (expression === null) return null
  try {
    compiled(expression)
    return null
  } catch (error) {
    return error instanceof Unsupported ? error.message : 'is not a regular expression'
  }
}

/** Whether the beginning of a tool's name matches a client's expression. What `patternProblem` refuses matches nothing. */
export function matchesPattern(pattern: string, tool: string): boolean {
  return matchesTool(anchored(pattern), tool)
}

/** Why such an expression can match nothing, as the end of a sentence; null when it is understood. */
export function patternProblem(pattern: string): string | null {
  return matcherProblem(anchored(pattern))
}

function anchored(pattern: string): string {
  return `/^(?:${pattern})/`
}

/** A construct of JavaScript's regular expressions that cannot be matched in linear time. */
class Unsupported extends Error {}

/** null for a plain name. */
function expressionOf(matcher: string): string | null {
  const slashed = /^\/(.*)\/$/.exec(matcher)?.[1]
  if (slashed !== undefined) return slashed
  return EXPRESSION.test(matcher) ? `^(?:${matcher})$` : null
}

/** @throws Unsupported, or another error for what is no regular expression at all */
function compiled(expression: string): RE2JS {
  const bare = expression.replace(/\\\\/g, '')
  if (/\(\?<?[=!]/.test(bare)) throw new Unsupported('uses a lookahead or lookbehind, which is not supported')
  if (/\\[1-9]|\\k</.test(bare)) throw new Unsupported('uses a back-reference, which is not supported')
  const most = BOUNDS.hookRepetitions.limit
  if (repetitions(bare) > most) throw new Unsupported(`repeats more than ${most} times, which is not supported`)
  return RE2JS.compile(RE2JS.translateRegExp(expression))
}

/** What the counts in `a{2,5}b{3}` come to: each repetition is written out when an expression is compiled. */
function repetitions(expression: string): number {
  let sum = 0
  for (const [, least = '', most = ''] of expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    sum += Math.max(Number(least), Number(most))
  }
  return sum
}
