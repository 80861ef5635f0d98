import { stateUpdate } from '../../agent/answer.ts'
import type { Event } from '../../api/event/events.ts'
import type { Bus } from '../../bus.ts'
import type { EventLog } from '../../event/log.ts'
import type { Complete } from '../../llm/completion.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { AgentParts } from './agent-parts.ts'
import { chargeSideCall } from './side-call.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  parts: AgentParts
  bus: Bus
}

/** The model of a conversation, for what is no step of its agent; the conversation pays all the same. */
export class AuxiliaryModel {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Never a replay's recorded answers. @param usageId what it is counted as
   * @throws AppError model_not_set
   */
  async modelFor(conversation: Conversation, usageId: string, events: readonly Event[] = []): Promise<Complete> {
    const { parts, eventLog } = this.#dependencies
    const complete = await parts.createComplete({ ...conversation, replay: null }, events)
    return async request => {
      const completion = await complete({
        onFallback: fallback => void eventLog.append(conversation.id, stateUpdate('llm_fallback', fallback)),
        ...request,
      })
      chargeSideCall(this.#dependencies, conversation.id, {
        usageId,
        completion,
        events: stats => [stateUpdate('stats', stats)],
      })
      return completion
    }
  }
}
