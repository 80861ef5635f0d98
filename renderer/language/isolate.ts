/** First strong isolate, and its end: the text between them has the direction of its own first letter. Unicode, UAX #9. */
const ISOLATE = '\u2068'
const END = '\u2069'

/**
 * The values of a message with each text kept apart from the sentence around it, which goes from right to left: `<` and `/` at
 * the end of a Latin name would otherwise stand at its beginning. What the message only chooses by stays as it is.
 * @param message in ICU MessageFormat
 */
export function isolated<Value>(
  message: string,
  values: Readonly<Record<string, Value>>,
): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isShown = typeof value === 'string' && message.includes(`{${name}}`)
      return [name, isShown && !message.includes(`{${name},`) ? `${ISOLATE}${value}${END}` : value]
    }),
  )
}
