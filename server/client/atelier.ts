import type { Route, RouteBodyInput, RouteQueryInput, RouteReply } from '../api/contract/route.ts'
import { type AppConversation, searchAppConversations } from '../api/v1/conversation/conversations.ts'
import { batchGetStartTasks, cancelStartTask } from '../api/v1/conversation/start-tasks.ts'
import { type AppConversationStartTask, createAppConversation, type StartStep } from '../api/v1/conversation/starts.ts'
import { batchGetSandboxes, type SandboxInfo, searchSandboxes, startSandbox } from '../api/v1/sandbox/sandboxes.ts'
import { ApiError } from './api-error.ts'
import { type Arguments, type Client, createClient } from './client.ts'
import type { Connection } from './connection.ts'
import { Conversation, type ConversationResult, type WaitOptions } from './conversation.ts'
import { Sandbox } from './sandbox.ts'
import { until } from './until.ts'
import type { Connect } from './updates-socket.ts'
import { userMessage } from './user-message.ts'

export interface AtelierOptions {
  /** Where the service answers, `http://127.0.0.1:3737`. */
  url: string
  /** The key of the app, or of a browser's login. */
  key: string
  /** Milliseconds until a call gives up; 60,000 unless it is given. Streams and waits have no limit but their signal. */
  timeoutMs?: number | undefined
  /** Opens WebSockets; the runtime's own unless it is given. */
  connect?: Connect | undefined
}

/** The fields of `POST /api/v1/app-conversations`, with a first message as plain text. */
export type NewConversation = RouteBodyInput<typeof createAppConversation> & {
  /** What the agent is asked to do; it begins at once. In place of `initial_message`. */
  message?: string | undefined
}

export interface StartOptions {
  signal?: AbortSignal | undefined
  /** Each time that a step of the start begins or says something new. */
  onStep?: ((step: StartStep) => void) | undefined
}

const TIMEOUT_MS = 60_000

/** A service of Atelier: its operations with `call`, and what takes more than one of them. */
export class Atelier implements Connection {
  readonly url: string
  readonly key: string
  readonly connect: Connect
  readonly timeoutMs: number
  readonly client: Client

  constructor({ url, key, timeoutMs = TIMEOUT_MS, connect = address => new WebSocket(address) }: AtelierOptions) {
    this.url = url
    this.key = key
    this.timeoutMs = timeoutMs
    this.connect = connect
    this.client = createClient({ url, key, timeoutMs })
  }

  /** One operation. @throws ApiError for every refusal */
  call<R extends Route>(route: R, ...input: Arguments<R>): Promise<RouteReply<R>> {
    return this.client.call(route, ...input)
  }

  /**
   * Starts a conversation and resolves when its agent can work, or works already if there is a message. Aborting
   * cancels the start.
   * @throws ApiError of the operation; `sandbox_start_failed` with the reason when the start fails
   */
  async startConversation(request: NewConversation, options: StartOptions = {}): Promise<Conversation> {
    const { message, ...body } = request
    const initial_message = message === undefined ? body.initial_message : userMessage(message)
    const task = await this.call(createAppConversation, { body: { ...body, initial_message }, signal: options.signal })
    try {
      return new Conversation(this, await this.#ready(task, options))
    } catch (error) {
      if (options.signal?.aborted) await this.#cancel(task.id)
      throw error
    }
  }

  /** Starts a conversation and waits until its agent is done. */
  async run(request: NewConversation, options: StartOptions & WaitOptions = {}): Promise<ConversationResult> {
    const conversation = await this.startConversation(request, options)
    return conversation.wait({ afterSeq: -1, ...options })
  }

  /** A conversation by its id; nothing is asked yet. */
  conversation(id: string): Conversation {
    return new Conversation(this, id)
  }

  /** Every conversation that fits, newest first, read page by page as the loop goes on. */
  async *conversations(
    query: Omit<RouteQueryInput<typeof searchAppConversations>, 'page_id'> = {},
    options: { signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<AppConversation, void, void> {
    yield* pages(page_id => this.call(searchAppConversations, { query: { ...query, page_id }, ...options }))
  }

  /** Starts a sandbox without a conversation and resolves when it runs. @throws ApiError sandbox_start_failed */
  async startSandbox(
    { sandbox_spec_id }: { sandbox_spec_id?: string | undefined } = {},
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<Sandbox> {
    const { id } = await this.call(startSandbox, { body: { sandbox_spec_id }, signal })
    await until(this, {
      concerns: change => change.resource === 'sandbox' && change.id === id,
      signal,
      read: async () => {
        const [info] = await this.call(batchGetSandboxes, { query: { id: [id] }, signal })
        if (info?.status === 'RUNNING') return info
        if (info?.status === 'STARTING') return undefined
        throw startFailed(info?.status_detail ?? 'The sandbox did not start.')
      },
    })
    return new Sandbox(this, id)
  }

  /** A sandbox by its id; nothing is asked yet. */
  sandbox(id: string): Sandbox {
    return new Sandbox(this, id)
  }

  /** Every sandbox, newest first. */
  async *sandboxes(options: { signal?: AbortSignal | undefined } = {}): AsyncGenerator<SandboxInfo, void, void> {
    yield* pages(page_id => this.call(searchSandboxes, { query: { page_id }, ...options }))
  }

  #ready(task: AppConversationStartTask, { signal, onStep }: StartOptions): Promise<string> {
    const seen = new Map<number, string>()
    return until(this, {
      concerns: change => change.resource === 'start-task' && change.id === task.id,
      signal,
      read: async () => {
        const [now] = await this.call(batchGetStartTasks, { query: { ids: [task.id] }, signal })
        for (const [index, step] of now?.steps.entries() ?? []) {
          const text = JSON.stringify(step)
          if (seen.get(index) !== text) onStep?.(step)
          seen.set(index, text)
        }
        if (now?.status === 'READY' && now.app_conversation_id) return now.app_conversation_id
        if (!now || now.status === 'ERROR') throw startFailed(now?.detail ?? 'The start is not known any more.')
        return undefined
      },
    })
  }

  async #cancel(task_id: string): Promise<void> {
    // It may have ended meanwhile; what it left is then a conversation like any other.
    await this.call(cancelStartTask, { params: { task_id } }).catch(() => {})
  }
}

function startFailed(message: string): ApiError {
  return new ApiError({ status: 500, code: 'sandbox_start_failed', message })
}

async function* pages<T>(
  read: (pageId: string | null) => Promise<{ items: T[]; next_page_id: string | null }>,
): AsyncGenerator<T, void, void> {
  let pageId: string | null = null
  do {
    const page: { items: T[]; next_page_id: string | null } = await read(pageId)
    yield* page.items
    pageId = page.next_page_id
  } while (pageId !== null)
}
