import { memoryRequest, rememberedPrompt } from '../conversation/prompts.ts'
import { AppError } from '../domain/errors.ts'
import type { Complete } from '../llm/completion.ts'
import type { LegacyEvents } from './events.ts'

const BEFORE = 4
const AFTER = 5

/**
 * Lets the model write what is to be remembered from the events around one.
 * @throws AppError event_not_found, llm_* and model_not_set
 */
export async function rememberPrompt(
  dependencies: { events: LegacyEvents; complete: Complete },
  conversationId: string,
  eventId: number,
  signal: AbortSignal,
): Promise<string> {
  const events = dependencies.events.around(conversationId, eventId, BEFORE, AFTER).map(plain)
  const answer = await dependencies.complete({
    system: 'You write instructions for software-development agents.',
    messages: [{ role: 'user', content: [{ type: 'text', text: memoryRequest(JSON.stringify(events, null, 1)) }] }],
    tools: [],
    signal,
    onDelta: () => {},
    onRetry: () => {},
  })
  const prompt = rememberedPrompt(answer.text)
  if (prompt) return prompt
  throw new AppError('llm_failed', 'The model did not answer in the form that was asked for. Try again.')
}

/** The model needs what happened, not how it was called. */
function plain({
  tool_call_metadata: _call,
  llm_metrics: _metrics,
  ...event
}: ReturnType<LegacyEvents['around']>[number]) {
  return event
}
