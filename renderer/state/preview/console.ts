/** As Chromium counts them. */
export const LEVELS = ['verbose', 'info', 'warning', 'error'] as const
export type Level = (typeof LEVELS)[number]

export interface ConsoleMessage {
  readonly id: number
  readonly level: Level
  readonly text: string
  /** The script's address and line, as far as it is known. */
  readonly place: string
  /** How many times it came in a row. */
  readonly times: number
}

const MAX_MESSAGES = 500
const MAX_LENGTH = 4_000

/** The messages with those that came after them; the oldest of too many are gone. */
export function withMessages(
  before: readonly ConsoleMessage[],
  came: readonly Omit<ConsoleMessage, 'id' | 'times'>[],
): readonly ConsoleMessage[] {
  const messages = [...before]
  for (const { level, text, place } of came) {
    const last = messages.at(-1)
    const next = { level, text: text.slice(0, MAX_LENGTH), place }
    if (last && last.level === level && last.text === next.text && last.place === place) {
      messages[messages.length - 1] = { ...last, times: last.times + 1 }
    } else messages.push({ id: (last?.id ?? 0) + 1, times: 1, ...next })
  }
  return messages.slice(-MAX_MESSAGES)
}

/** How many errors there were, the same ones too. */
export function countErrors(messages: readonly ConsoleMessage[]): number {
  return messages.filter(({ level }) => level === 'error').reduce((sum, { times }) => sum + times, 0)
}

/** Many are the same again and again, and the agent reads the page itself. */
const MAX_SENT = 20
const MAX_SENT_LENGTH = 500

/** The errors for the agent, each on lines of its own; '' where there are none. */
export function errorsFor(messages: readonly ConsoleMessage[]): string {
  return messages
    .filter(({ level }) => level === 'error')
    .slice(-MAX_SENT)
    .map(({ text, place, times }) => {
      const where = place && ` (${place})`
      return `${text.slice(0, MAX_SENT_LENGTH)}${where}${times > 1 ? ` ×${times}` : ''}`
    })
    .join('\n')
}

/** A block of Markdown that its content cannot end. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(ticks => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
