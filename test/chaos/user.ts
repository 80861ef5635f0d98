import { setTimeout as delay } from 'node:timers/promises'
import type { Event } from '../../server/api/event/events.ts'
import { respondToConfirmation } from '../../server/api/v1/conversation/actions.ts'
import {
  type AppConversation,
  deleteAppConversation,
  interruptConversation,
  listAppConversations,
  runConversation,
  sendMessage,
} from '../../server/api/v1/conversation/conversations.ts'
import { batchGetStartTasks } from '../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../server/api/v1/conversation/starts.ts'
import { getConversationFile } from '../../server/api/v1/conversation/workspace.ts'
import { resumeSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import { ApiError } from '../../server/client/api-error.ts'
import { newConversationId } from '../../server/domain/ids.ts'
import { said } from '../parts/client/conversation.ts'
import { readLog } from '../parts/service/read-log.ts'
import { between } from '../parts/value/random.ts'
import { effectProblems, logProblems, lossProblems } from './invariants.ts'
import { LINE, LINES, taskText } from './model.ts'
import { Recorder } from './recorder.ts'
import type { ServiceProcess } from './service.ts'

export interface UserOptions {
  name: string
  service: ServiceProcess
  random: () => number
  /** Whether the agent asks before it acts. */
  confirms: boolean
  onProblem(problem: string): void
}

/** Nothing new for so long, and the user stops the agent and asks again. */
const IMPATIENT_MS = 2500
const PATIENT_MS = 10_000
const LOOK_MS = 300
/** Nothing new for so long, and it may have come to an end without a word. */
const SETTLED_MS = 600

/** Somebody who works with one conversation after the other, and never gives up. */
export class User {
  readonly name: string
  readonly #options: UserOptions
  #conversation: { id: string; recorder: Recorder; accepted: Set<string> } | undefined
  #starting: string | undefined
  #tasks = 0

  constructor(options: UserOptions) {
    this.#options = options
    this.name = options.name
  }

  get conversationId(): string | undefined {
    return this.#conversation?.id
  }

  get sandboxId(): Promise<string | undefined> {
    return this.#find().then(found => found?.sandbox_id)
  }

  /** Gives the agent one task after the other until told to stop, whatever the service answers meanwhile. */
  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await this.#attempt(async () => {
        const conversation = await this.#current()
        if (!conversation) return
        if (conversation.execution_status === 'waiting_for_confirmation') await this.#confirm()
        else if (conversation.execution_status !== 'running') await this.#ask(between(this.#options.random, 2, 5))
      })
      if (!signal.aborted) await (this.#conversation?.recorder.changed(wait) ?? delay(wait))
    }
  }

  /**
   * Shows that the conversation can go on: a new task is given and its end waited for.
   * @throws Error when it does not come in time
   */
  async prove(patienceMs: number): Promise<void> {
    const deadline = Date.now() + patienceMs
    const patience = this.#options.random() < 0.7 ? IMPATIENT_MS : PATIENT_MS
    let problem = ''
    while (Date.now() < deadline) {
      let token: string | undefined
      await this.#attempt(
        async () => {
          if (await this.#current()) token = await this.#ask(1)
        },
        found => {
          problem = found
        },
      )
      if (!token) await delay(LOOK_MS)
      else if (await this.#follow(token, patience, deadline)) return
    }
    throw new Error(`No answer within ${patienceMs / 1000} s. ${problem} ${this.describe()}`)
  }

  /** Watches a task as a person does. @returns whether it came to its end; otherwise it has to be asked for again */
  async #follow(token: string, patience: number, deadline: number): Promise<boolean> {
    let seen = -1
    let since = Date.now()
    while (Date.now() < deadline) {
      if (this.#answered(token)) return true
      const quiet = Date.now() - since
      if (this.#events.length !== seen) {
        seen = this.#events.length
        since = Date.now()
      } else if (quiet > patience) {
        await this.#attempt(() => this.stop())
        return false
      } else if (quiet > SETTLED_MS) {
        const found = await this.#find().catch(() => undefined)
        if (found?.execution_status === 'waiting_for_confirmation') await this.#attempt(() => this.#confirm())
        else if (found && found.execution_status !== 'running' && this.#events.length === seen) return false
      }
      await this.#conversation?.recorder.changed(LOOK_MS)
    }
    return false
  }

  async stop(): Promise<void> {
    const id = this.#conversation?.id
    if (id) await this.#client.call(interruptConversation, { params: { conversation_id: id } })
  }

  /** Deletes the conversation, however often it has to be asked for, and begins another when there is work to do. */
  async leave(signal: AbortSignal): Promise<void> {
    const left = this.#conversation
    if (!left) return
    this.#conversation = undefined
    left.recorder.close()
    while (!signal.aborted) {
      try {
        return void (await this.#client.call(deleteAppConversation, { params: { conversation_id: left.id } }))
      } catch (error) {
        if (error instanceof ApiError && error.code === 'conversation_not_found') return
        await delay(LOOK_MS)
      }
    }
  }

  /** What does not hold of the conversation, on which nobody works now. */
  async check(): Promise<string[]> {
    const { service } = this.#options
    const conversation = this.#conversation
    if (!conversation) return ['There is no conversation.']
    const { id, recorder, accepted } = conversation
    const events = await readLog(service, id)
    const params = { conversation_id: id }
    await this.#resume()
    const text = await service.client
      .call(getConversationFile, { params, query: { file_path: LINES } })
      .catch(ifNotWritten)
    const lines = text.split('\n').filter(line => line !== '')
    const messages = events.flatMap(userTexts)
    const counts = [...accepted].map(token => messages.filter(message => message.includes(`[${token} `)).length)
    return [
      ...recorder.problems.splice(0),
      ...logProblems(events),
      ...lossProblems(events, recorder.events),
      ...effectProblems(events, lines, LINE),
      ...(counts.every(count => count === 1) ? [] : [`Messages that were taken stand ${counts.join(', ')} times.`]),
    ]
  }

  describe(): string {
    const events = this.#events.slice(-6).map(event => {
      if (event.kind === 'ConversationErrorEvent') return `${event.kind} ${event.detail}`
      if (event.kind !== 'ConversationStateUpdateEvent') return event.kind
      return `${event.key}=${JSON.stringify(event.value).slice(0, 60)}`
    })
    return `${this.name}, conversation ${this.#conversation?.id ?? 'none'}, last events: ${events.join('; ')}`
  }

  close(): void {
    this.#conversation?.recorder.close()
  }

  get #client() {
    return this.#options.service.client
  }

  get #events(): readonly Event[] {
    return this.#conversation?.recorder.events ?? []
  }

  #answered(token: string): boolean {
    const end = this.#events.findLast(
      event =>
        event.kind === 'ActionEvent' &&
        event.tool_name === 'finish' &&
        JSON.stringify(event.action).includes(`${token}.`),
    )
    return end !== undefined && this.#events.some(event => event.seq > end.seq && isFinished(event))
  }

  /** @returns how long to wait for something new */
  async #attempt(act: () => Promise<void>, onProblem?: (problem: string) => void): Promise<number> {
    try {
      await act()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'internal')
        this.#options.onProblem(`A request failed for no reason that has a name: ${error.message}`)
      onProblem?.(error instanceof Error ? error.message : String(error))
    }
    return LOOK_MS
  }

  async #current(): Promise<AppConversation | null> {
    if (!this.#conversation) await this.#begin()
    return this.#find()
  }

  async #find(): Promise<AppConversation | null> {
    const id = this.#conversation?.id
    if (!id) return null
    const found = await this.#client.call(listAppConversations, { query: { ids: [id] } })
    return (Array.isArray(found) && found[0]) || null
  }

  async #begin(): Promise<void> {
    const { confirms, service } = this.#options
    if (!this.#starting) {
      const body = {
        conversation_id: newConversationId(),
        title: this.name,
        max_iterations: 100_000,
        confirmation_policy: { kind: confirms ? ('AlwaysConfirm' as const) : ('NeverConfirm' as const) },
      }
      this.#starting = (await this.#client.call(createAppConversation, { body })).id
    }
    const [task] = await this.#client.call(batchGetStartTasks, { query: { ids: [this.#starting] } })
    if (!task || task.status === 'ERROR') {
      this.#starting = undefined
      throw new Error(`The start failed: ${task?.detail}`)
    }
    if (task.status !== 'READY' || !task.app_conversation_id) throw new Error(`The start is at ${task.status}.`)
    this.#starting = undefined
    const id = task.app_conversation_id
    this.#conversation = { id, recorder: new Recorder(service, id), accepted: new Set() }
  }

  async #ask(steps: number): Promise<string> {
    const conversation = this.#conversation
    if (!conversation) throw new Error('There is no conversation.')
    const token = `${this.name}-${++this.#tasks}`
    const params = { conversation_id: conversation.id }
    await this.#client.call(sendMessage, { params, body: said(taskText(token, steps)) })
    conversation.accepted.add(token)
    return token
  }

  /** An engine that is started again has stopped every sandbox, and an agent that has nothing left to do needs none. */
  async #resume(): Promise<void> {
    const id = await this.sandboxId
    if (id) await this.#client.call(resumeSandbox, { params: { sandbox_id: id } })
  }

  /** Mostly yes; what is refused lets the agent go on all the same. */
  async #confirm(): Promise<void> {
    const params = { conversation_id: this.#conversation?.id ?? '' }
    const accept = this.#options.random() < 0.85
    await this.#client.call(respondToConfirmation, { params, body: { accept } })
    if (!accept) await this.#client.call(runConversation, { params })
  }
}

/** No command came to be carried out. */
function ifNotWritten(error: unknown): string {
  if (error instanceof ApiError && error.code === 'file_not_found') return ''
  throw error
}

function isFinished(event: Event): boolean {
  return event.kind === 'ConversationStateUpdateEvent' && event.value === 'finished'
}

function userTexts(event: Event): string[] {
  if (event.kind !== 'MessageEvent' || event.source !== 'user') return []
  return event.llm_message.content.map(part => (part.type === 'text' ? part.text : ''))
}
