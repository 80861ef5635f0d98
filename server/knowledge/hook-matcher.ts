import { runInNewContext } from 'node:vm'

/** A repository's expression may be made to take for ever; after this it counts as one that does not match. */
const TIMEOUT_MS = 50
const EXPRESSION = /[\\^$.*+?()[\]{}|]/

/** Whether hooks are for a tool: `*`, an exact name, or a regular expression for the whole name (also as `/…/`). */
export function matchesTool(matcher: string | null | undefined, tool: string): boolean {
  if (!matcher || matcher === '*' || matcher === tool) return true
  const slashed = /^\/(.*)\/$/.exec(matcher)?.[1]
  if (slashed === undefined && !EXPRESSION.test(matcher)) return false
  try {
    const source = slashed ?? `^(?:${matcher})$`
    return runInNewContext('new RegExp(source).test(tool)', { source, tool }, { timeout: TIMEOUT_MS }) === true
  } catch {
    return false
  }
}
