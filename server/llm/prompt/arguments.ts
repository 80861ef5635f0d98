import { isTooDeep } from '../../text/brackets.ts'

/**
 * The arguments of a call, as the history has them. Providers want an object, also where the model wrote something else, or
 * what is nested so deep that nobody can write it as JSON again: every later request would fail.
 */
export function argumentsOf(text: string): object {
  if (isTooDeep(text)) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
