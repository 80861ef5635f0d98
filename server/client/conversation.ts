import { getGatewayConversation } from '../api/agent-server/conversations.ts'
import type { RouteBodyInput } from '../api/contract/route.ts'
import type { EventOf, ExecutionStatus } from '../api/event/events.ts'
import type { EventFrame, FullStateEvent } from '../api/event/frames.ts'
import { getFinalResponse, respondToConfirmation } from '../api/v1/conversation/actions.ts'
import {
  type AppConversation,
  deleteAppConversation,
  interruptConversation,
  listAppConversations,
  runConversation,
  sendMessage,
} from '../api/v1/conversation/conversations.ts'
import { countConversationEvents, searchConversationEvents } from '../api/v1/conversation/event-routes.ts'
import type { GitChange } from '../api/v1/conversation/git-changes.ts'
import { getConversationChanges } from '../api/v1/conversation/workspace.ts'
import { ApiError } from './api-error.ts'
import type { Connection } from './connection.ts'
import { type FollowOptions, followEvents } from './follow-events.ts'
import { Sandbox } from './sandbox.ts'
import { userMessage } from './user-message.ts'

/** What a person, or a program in a person's place, says to actions that wait. */
export type Confirmation = RouteBodyInput<typeof respondToConfirmation>

export interface WaitOptions extends FollowOptions {
  /** Every frame as it comes, live ones included. */
  onFrame?: ((frame: EventFrame) => void) | undefined
  /** Asked when actions wait. Without it, or when it answers null, `wait` ends with `waiting_for_confirmation`. */
  onConfirmation?:
    | ((actions: EventOf<'ActionEvent'>[]) => Promise<Confirmation | null> | Confirmation | null)
    | undefined
}

/** What an agent can be that does not work. */
export type StoppedStatus = Exclude<ExecutionStatus, 'running'>

export interface ConversationResult {
  conversation: Conversation
  status: StoppedStatus
  /** The agent's last word; empty when there is none. */
  response: string
  /** What went wrong in the last run, if anything did. */
  error: { code: string; detail: string } | null
}

/** One conversation, by its id. */
export class Conversation {
  readonly id: string
  readonly #connection: Connection

  constructor(connection: Connection, id: string) {
    this.#connection = connection
    this.id = id
  }

  /** The conversation now. @throws ApiError conversation_not_found */
  async info(signal?: AbortSignal): Promise<AppConversation> {
    const found = await this.#connection.call(listAppConversations, { query: { ids: [this.id] }, signal })
    const info = Array.isArray(found) ? found[0] : undefined
    if (info) return info
    throw new ApiError({
      status: 404,
      code: 'conversation_not_found',
      message: 'There is no conversation with this id.',
    })
  }

  /** Stored events once each and in order, and live ones as they come; goes on over lost connections by itself. */
  events(options: FollowOptions = {}): AsyncGenerator<EventFrame, void, void> {
    return followEvents(this.#connection, this.id, options)
  }

  /** Sequence number of the newest stored event; -1 when there is none. */
  async lastSeq(signal?: AbortSignal): Promise<number> {
    return (await this.#connection.call(countConversationEvents, { params: this.#params, signal })) - 1
  }

  /** Adds a message; the agent reads it before its next step, or begins to work. Actions that wait are rejected by it. */
  async send(text: string): Promise<void> {
    await this.#connection.call(sendMessage, { params: this.#params, body: userMessage(text) })
  }

  /** Lets a paused agent go on. @throws ApiError conversation_running */
  async resume(): Promise<void> {
    await this.#connection.call(runConversation, { params: this.#params })
  }

  /** Stops the agent now, its command and its call of the model included. The conversation can go on later. */
  async stop(): Promise<void> {
    await this.#connection.call(interruptConversation, { params: this.#params })
  }

  /** Accepts or rejects the actions that wait. @throws ApiError not_waiting */
  async confirm(confirmation: Confirmation): Promise<void> {
    await this.#connection.call(respondToConfirmation, { params: this.#params, body: confirmation })
  }

  /** The actions that wait for a person, in their order. */
  async waitingActions(signal?: AbortSignal): Promise<EventOf<'ActionEvent'>[]> {
    const query = { sort_order: 'TIMESTAMP_DESC' as const, limit: 100 }
    const { items } = await this.#connection.call(searchConversationEvents, { params: this.#params, query, signal })
    const answered = new Set(
      items.flatMap(event => (ANSWERS.has(event.kind) && 'tool_call_id' in event ? [event.tool_call_id] : [])),
    )
    const actions = items.filter((event): event is EventOf<'ActionEvent'> => event.kind === 'ActionEvent')
    return actions.filter(action => !answered.has(action.tool_call_id)).reverse()
  }

  /**
   * Waits until the agent does not work any more. Begins with what is new unless `afterSeq` says otherwise, and returns
   * at once for an agent that is not at work.
   * @throws ApiError of the service; the signal's reason, and the agent goes on
   */
  async wait(options: WaitOptions = {}): Promise<ConversationResult> {
    const { signal, onFrame, onConfirmation } = options
    const afterSeq = options.afterSeq ?? (await this.lastSeq(signal))
    let error: ConversationResult['error'] = null
    let seen = afterSeq
    let replayed = afterSeq
    let end: { status: StoppedStatus; seq: number } | undefined
    for await (const frame of this.events({ ...options, afterSeq })) {
      onFrame?.(frame)
      if ('seq' in frame) seen = frame.seq
      if (frame.kind === 'ConversationErrorEvent') error = { code: frame.code, detail: frame.detail }
      if (isFullState(frame)) replayed = Math.max(replayed, frame.value.last_seq)
      if (isFullState(frame) || (isStatus(frame) && seen > replayed)) {
        if (isStatus(frame) && frame.value === 'running') error = null
        const status = await this.#ended(onConfirmation, signal)
        end = status && { status, seq: await this.lastSeq(signal) }
      }
      // What was said up to the end is passed on first.
      if (end && seen >= end.seq) {
        return { conversation: this, status: end.status, response: await this.answer(signal), error }
      }
    }
    throw new Error('The events of a conversation have no end.')
  }

  /** The status of an agent that does not work any more, after the caller was asked where actions wait. */
  async #ended(
    ask: WaitOptions['onConfirmation'],
    signal: AbortSignal | undefined,
  ): Promise<StoppedStatus | undefined> {
    const { execution_status: status } = await this.info(signal)
    if (status === null || status === 'running') return undefined
    if (status !== 'waiting_for_confirmation' || !ask) return status
    const answer = await ask(await this.waitingActions(signal))
    if (!answer) return status
    try {
      await this.confirm(answer)
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof ApiError && error.code === 'not_waiting')) throw error
    }
    return undefined
  }

  /** The agent's last word; empty when there is none. */
  async answer(signal?: AbortSignal): Promise<string> {
    return (await this.#connection.call(getFinalResponse, { params: this.#params, signal })).response
  }

  /** The changed files of the working directory. @throws ApiError sandbox_not_running */
  changes(signal?: AbortSignal): Promise<GitChange[]> {
    return this.#connection.call(getConversationChanges, { params: this.#params, signal })
  }

  /** What has changed, as a patch that `git apply` takes. @throws ApiError sandbox_not_running, not_a_repository */
  async patch(signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const sandbox = await this.sandbox(signal)
    return sandbox.patch(await this.workingDirectory(signal), { signal })
  }

  /** The sandbox that the conversation works in. */
  async sandbox(signal?: AbortSignal): Promise<Sandbox> {
    return new Sandbox(this.#connection, (await this.info(signal)).sandbox_id)
  }

  /** Absolute path in the sandbox. @throws ApiError sandbox_not_running */
  async workingDirectory(signal?: AbortSignal): Promise<string> {
    const sandbox = await this.sandbox(signal)
    const { workspace } = await sandbox.callGateway(getGatewayConversation, { params: this.#params, signal })
    return workspace.working_dir
  }

  /** Deletes it, and its sandbox when no other conversation uses it. */
  async delete(): Promise<void> {
    await this.#connection.call(deleteAppConversation, { params: this.#params })
  }

  get #params(): { conversation_id: string } {
    return { conversation_id: this.id }
  }
}

const ANSWERS: ReadonlySet<string> = new Set(['ObservationEvent', 'UserRejectObservation', 'AgentErrorEvent'])

function isFullState(frame: EventFrame): frame is FullStateEvent {
  return frame.kind === 'ConversationStateUpdateEvent' && frame.key === 'full_state' && !('seq' in frame)
}

function isStatus(frame: EventFrame): frame is EventOf<'ConversationStateUpdateEvent'> {
  return frame.kind === 'ConversationStateUpdateEvent' && frame.key === 'execution_status' && 'seq' in frame
}
