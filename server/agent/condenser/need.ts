import type { Event } from '../../api/event/events.ts'
import type { TokenUsage } from '../../api/event/metrics.ts'
import { viewOf } from '../../event/condensed.ts'
import { nextPromptTokens } from './size.ts'

/** A soft need may be put off when there is no good cut; a hard one cannot. */
export type Need = 'none' | 'soft' | 'hard'

export interface ConversationSize {
  /** How many events the model may see; null when only what somebody asks for is condensed. */
  maxEvents: number | null
  /** Tokens; null when unknown. */
  contextWindow: number | null
  /** Of the agent's last answer. */
  usage: TokenUsage | null
  /** The model refused the conversation as it is. */
  refused: boolean
}

export function condensationNeed(branch: readonly Event[], circumstances: ConversationSize): Need {
  const { maxEvents, contextWindow, usage, refused } = circumstances
  if (refused || isRequested(branch)) return 'hard'
  if (maxEvents === null) return 'none'
  if (contextWindow !== null && nextPromptTokens(branch, usage) >= contextWindow * MAX_WINDOW_SHARE) return 'hard'
  const events = viewOf(branch).length
  if (events > maxEvents * MAX_POSTPONEMENT) return 'hard'
  return events > maxEvents ? 'soft' : 'none'
}

/** The rest of the window is for the answer and for what one step may bring. */
export const MAX_WINDOW_SHARE = 0.8
/** How many times too many events there may be while there is no good cut. */
const MAX_POSTPONEMENT = 2

/**
 * Somebody asked for it and it has not been done. While the model answers, a request waits for the step to end; if there
 * was nothing to sum up then, it is over, so that it does not come as a surprise later.
 */
function isRequested(branch: readonly Event[]): boolean {
  const request = branch.findLastIndex(event => event.kind === 'CondensationRequest')
  if (request === -1) return false
  const after = branch.slice(request + 1)
  const answers = new Set(after.flatMap(event => (event.kind === 'ActionEvent' ? [event.llm_response_id] : [])))
  return answers.size <= 1 && !after.some(event => event.kind === 'Condensation')
}
