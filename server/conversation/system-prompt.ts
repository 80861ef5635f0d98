import type { AgentRun } from '../agent/run.ts'
import type { Event, NewEvent } from '../api/event/events.ts'
import type { Tool } from '../tools/tool.ts'

/** The system prompt that the model got first stays the one it gets; null before the first call. */
export function storedPrompt(events: readonly Event[]): { fixed: string; context: string } | null {
  const stored = events.find(event => event.kind === 'SystemPromptEvent')
  return stored ? { fixed: stored.system_prompt.text, context: stored.dynamic_context?.text ?? '' } : null
}

export function promptEvent({ fixed, context }: AgentRun['prompt'], tools: readonly Tool[]): NewEvent {
  return {
    kind: 'SystemPromptEvent',
    source: 'agent',
    system_prompt: { type: 'text', text: fixed },
    dynamic_context: { type: 'text', text: context },
    tools: tools.map(({ name, description, readOnly }) => ({ name, description, read_only: readOnly })),
  }
}
