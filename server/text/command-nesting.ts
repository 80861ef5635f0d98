import { BOUNDS } from '../domain/bounds.ts'

/**
 * Whether parts of a command stand inside each other further than anybody writes them. A parser takes time and stack for
 * each level, so this is asked before it sees the text. Quotes are not looked at: brackets that are only text count too.
 */
export function isDeep(command: string): boolean {
  let depth = 0
  if (command.split('`').length > MAX_REPEATED || command.split('<<').length > MAX_REPEATED) return true
  for (const char of command) {
    if (char === '(' || char === '{' || char === '[') depth++
    else if ((char === ')' || char === '}' || char === ']') && depth > 0) depth--
    if (depth > BOUNDS.commandNesting.limit) return true
  }
  return false
}

/** Of backticks nobody knows before parsing which open and which close; here-documents on one line wait for each other. */
const MAX_REPEATED = 300
