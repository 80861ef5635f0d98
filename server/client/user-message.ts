/** A message of a person as plain text, which the agent begins to work on. */
export function userMessage(text: string) {
  return { role: 'user' as const, content: [{ type: 'text' as const, text }], run: true }
}
