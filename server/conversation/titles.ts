import { stateUpdate } from '../agent/answer.ts'
import { type AskedTitle, askTitle } from '../agent/title.ts'
import type { Event } from '../api/event/events.ts'
import { timeLimit } from '../async/time-limit.ts'
import type { Bus } from '../bus.ts'
import { messageOf } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import { textOf } from '../event/model-messages.ts'
import type { Complete } from '../llm/completion.ts'
import type { Log } from '../log.ts'
import type { Conversation, ConversationTable } from '../store/conversation/conversations.ts'
import type { AgentParts } from './run/agent-parts.ts'
import { chargeSideCall } from './run/side-call.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  bus: Bus
  parts: Pick<AgentParts, 'countUsage'>
  mask: (text: string) => string
  log: Log
  /** false where a client wants none that it did not give. */
  wantsTitle: (id: ConversationId) => boolean
  /** A model that is asked before the conversation's own; null is none. */
  titleModel: (id: ConversationId) => Complete | null
}

const TIMEOUT_MS = 120_000

/**
 * Names conversations by the model, beside the agent's work. What a person has named is left alone, also when the
 * model's answer comes after it; a model that does not answer leaves the first line of the message.
 */
export class Titles {
  readonly #dependencies: Dependencies
  /** Once in a conversation; those that wait for the model can be stopped. */
  readonly #asked = new Map<ConversationId, { abort: AbortController; done: Promise<void> }>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** To be called when the model has answered: then it is there, and nothing waits for it. Never waits or throws. */
  consider(conversation: Conversation, events: readonly Event[], complete: Complete): void {
    const { id, title_is_default, replay } = conversation
    if (!title_is_default || replay !== null || this.#asked.has(id) || !this.#dependencies.wantsTitle(id)) return
    const message = firstMessageText(events)
    if (message === '') return
    const abort = new AbortController()
    this.#asked.set(id, { abort, done: this.#ask(id, message, complete, abort.signal) })
  }

  /** When the model has answered, or will not. */
  async settled(id: ConversationId): Promise<void> {
    await this.#asked.get(id)?.done
  }

  /** When a conversation is closed or deleted. */
  async release(id: ConversationId): Promise<void> {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    asked?.abort.abort(new Error('The conversation was closed.'))
    await asked?.done
  }

  async close(): Promise<void> {
    await Promise.all([...this.#asked.keys()].map(id => this.release(id)))
  }

  async #ask(id: ConversationId, message: string, complete: Complete, signal: AbortSignal): Promise<void> {
    const { mask, log } = this.#dependencies
    try {
      const limited = AbortSignal.any([signal, timeLimit(TIMEOUT_MS)])
      const asked = await this.#answer(id, mask(message), complete, limited)
      if (asked.completion === null) log.debug({ conversation: id }, 'The model gave no title')
      else if (!signal.aborted) this.#store(id, asked)
    } catch (error) {
      log.warn({ conversation: id, error: messageOf(error) }, 'A title could not be stored')
    }
  }

  async #answer(id: ConversationId, message: string, own: Complete, signal: AbortSignal): Promise<AskedTitle> {
    const first = this.#dependencies.titleModel(id)
    const asked = first && (await askTitle(first, message, signal))
    return asked?.completion ? asked : askTitle(own, message, signal)
  }

  /** What the answer took is counted whether or not it is of use. */
  #store(id: ConversationId, { title, completion }: AskedTitle): void {
    const { conversations, mask } = this.#dependencies
    const conversation = conversations.get(id)
    if (!conversation || !completion) return
    const named = conversation.title_is_default && title !== null
    const text = named ? mask(title) : conversation.title
    chargeSideCall(this.#dependencies, id, {
      usageId: 'title',
      completion,
      events: stats => (text === conversation.title ? [] : [stateUpdate('title', text), stateUpdate('stats', stats)]),
      ...(named && { fields: { title: text, title_is_default: false } }),
    })
  }
}

/** The first thing that a person has said in words. */
function firstMessageText(events: readonly Event[]): string {
  for (const event of events) {
    if (event.kind !== 'MessageEvent' || event.source !== 'user') continue
    const text = textOf(event.llm_message.content).trim()
    if (text !== '') return text
  }
  return ''
}
