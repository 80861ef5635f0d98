import type { Event } from '../api/events.ts'

/** What was said to the model first stays what it is told; null before it was told anything. */
export function storedPrompt(events: readonly Event[]): { fixed: string; context: string } | null {
  const stored = events.find(event => event.kind === 'SystemPromptEvent')
  return stored ? { fixed: stored.system_prompt.text, context: stored.dynamic_context?.text ?? '' } : null
}
