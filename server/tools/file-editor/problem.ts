import { BOUNDS } from '../../domain/bounds.ts'
import { isAppError } from '../../domain/errors.ts'
import { clipMiddle } from '../../text/clip.ts'

/** Why a call was not carried out, in words for the model. Never leaves the tool. */
export class Problem extends Error {}

/** The beginning is known to existing clients: keep it. */
export function invalidParameter(name: string, value: unknown, hint: string): Problem {
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  return new Problem(`Invalid \`${name}\` parameter: ${quoted(shown)}. ${hint}`)
}

/** An argument as an error may repeat it. */
export function quoted(argument: string): string {
  return clipMiddle(argument, BOUNDS.quotedArgument.limit, () => ' … ')
}

export function missingParameter(name: string, command: string): Problem {
  return new Problem(`Parameter \`${name}\` is required for command: ${command}.`)
}

/** What the model can act on; undefined for everything that ends the step. */
export function messageForModel(error: unknown): string | undefined {
  if (error instanceof Problem) return error.message
  const about = ['file_not_found', 'file_too_large', 'bad_request', 'command_failed', 'forbidden'] as const
  return error instanceof Error && about.some(code => isAppError(error, code)) ? error.message : undefined
}
