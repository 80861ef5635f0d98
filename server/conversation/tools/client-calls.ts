import { activeBranch } from '../../api/event/branch.ts'
import type { Content } from '../../api/event/content.ts'
import type { ClientToolResult } from '../../api/v1/conversation/client-tools.ts'
import { AppError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import { openCalls } from '../../event/model-messages.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'

/** The result of a call follows within as many events, if it has one. */
const AFTER_CALL = 500

interface Answer {
  content: readonly Content[]
  isError: boolean
}

/** One place for each call that somebody waits for, or that was answered before anybody waited. */
type CallSlot = { kind: 'awaited'; take: (answer: Answer) => void } | { kind: 'answered'; answer: Answer }

/**
 * Calls that a client carries out, between the agent that waits and the client that answers. A call is answered once; what
 * an ended run has left open is answered in the log, so that nobody waits here any more.
 */
export class ClientCalls {
  readonly #eventLog: Pick<EventLog, 'read' | 'byIds'>
  readonly #places = new Map<ConversationId, Map<string, CallSlot>>()

  constructor(eventLog: Pick<EventLog, 'read' | 'byIds'>) {
    this.#eventLog = eventLog
  }

  /** null when the time is over. Rejects with the signal's reason only. */
  result(
    id: ConversationId,
    actionId: string,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Answer | null> {
    const places = this.#placesOf(id)
    const early = places.get(actionId)
    places.delete(actionId)
    if (early?.kind === 'answered') return Promise.resolve(early.answer)
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        places.delete(actionId)
      }
      const abort = () => {
        end()
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        end()
        resolve(null)
      }, timeoutMs)
      const take = (answer: Answer) => {
        end()
        resolve(answer)
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      places.set(actionId, { kind: 'awaited', take })
    })
  }

  /**
   * An answer may come before the agent waits: the call is seen as soon as it is stored.
   * @throws AppError not_found when there is no such call, conflict when it is not open
   */
  answer(conversation: Conversation, { action_id, content, is_error }: ClientToolResult): void {
    this.#assertOpen(conversation, action_id)
    const places = this.#placesOf(conversation.id)
    const place = places.get(action_id)
    if (place?.kind === 'answered') throw answeredAlready()
    const answer = { content, isError: is_error }
    if (place) place.take(answer)
    else places.set(action_id, { kind: 'answered', answer })
  }

  /** Of a conversation whose tools are closed. */
  forget(id: ConversationId): void {
    this.#places.delete(id)
  }

  #assertOpen({ id, execution_status }: Conversation, actionId: string): void {
    const [asked] = this.#eventLog.byIds(id, [actionId])
    // The events after it say whether it is open.
    const branch = asked ? activeBranch(this.#eventLog.read(id, asked.seq, AFTER_CALL)) : []
    const call = branch.find(event => event.kind === 'ActionEvent' && event.id === actionId)
    if (call?.kind !== 'ActionEvent' || call.action?.kind !== 'ClientToolAction') {
      throw new AppError('not_found', 'There is no such call of a client’s tool. Name the id of its ActionEvent.')
    }
    if (!openCalls(branch).some(open => open.id === actionId)) throw answeredAlready()
    if (execution_status === 'running') return
    throw new AppError(
      'conflict',
      execution_status === 'waiting_for_confirmation'
        ? 'A person has not accepted this call yet. Wait until it is, then carry it out.'
        : 'The agent is not at work. Let it go on, then answer.',
    )
  }

  #placesOf(id: ConversationId): Map<string, CallSlot> {
    const places = this.#places.get(id) ?? new Map<string, CallSlot>()
    this.#places.set(id, places)
    return places
  }
}

function answeredAlready(): AppError {
  return new AppError('conflict', 'This call has its result already. A call is answered once.')
}
