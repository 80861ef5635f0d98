const MAX_SAID = 800

/** The last lines of what a program printed, for a message: those that say most come last. */
export function endOfOutput(output: string): string {
  const text = output
    .split(/[\r\n]+/)
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .join('\n')
  return text.length > MAX_SAID ? `…${text.slice(-MAX_SAID)}` : text
}
