/** Why a command was not carried out, in words for the model. Never leaves the file editor. */
export class Problem extends Error {}

/** The beginning is known to existing clients: keep it. */
export function invalidParameter(name: string, value: unknown, hint: string): Problem {
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  return new Problem(`Invalid \`${name}\` parameter: ${shown}. ${hint}`)
}

export function missingParameter(name: string, command: string): Problem {
  return new Problem(`Parameter \`${name}\` is required for command: ${command}.`)
}
