import { AppError } from '../domain/errors.ts'
import type { Complete, Completion } from './completion.ts'

/**
 * Asks one question without tools, as for a summary or a title. The completion tells what it cost.
 * @throws AppError `llm_*`, also when the model says nothing; the signal's reason when aborted
 */
export async function askText(
  complete: Complete,
  { system, prompt, signal }: { system: string; prompt: string; signal: AbortSignal },
): Promise<{ text: string; completion: Completion }> {
  const completion = await complete({
    system,
    messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    tools: [],
    signal,
    onDelta: () => {},
    onRetry: () => {},
  })
  const text = completion.text.trim()
  if (!text) throw new AppError('llm_failed', 'The model gave an empty answer. Try again, or choose another model.')
  return { text, completion }
}
