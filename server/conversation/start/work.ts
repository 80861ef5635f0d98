import type { SendMessageRequest } from '../../api/event/events.ts'
import type { AppConversationStartTask, StartStep, StartTaskStatus } from '../../api/v1/conversation/starts.ts'
import { isStoreRefusal } from '../../disk/failure.ts'
import type { ConversationId } from '../../domain/ids.ts'

/** Reports what a step is doing. */
export interface StepReport {
  detail?: string
  progress?: { done: number; total: number }
  /** Nothing is done yet: something else comes first, which `detail` names. */
  isWaiting?: boolean
}

export interface StartStepContext {
  signal: AbortSignal
  report: (report: StepReport) => void
  /** Known from the moment that the sandbox exists. */
  sandboxStarted: (sandboxId: string) => void
  /** Where the conversation will be reached beside the app's own API. */
  agentServerFound: (url: string | null) => void
  /** What is said first, with the places of its files: kept until the start has ended, should the service die before it is said. */
  messageReady: (message: SendMessageRequest) => void
}

/** The steps in the order in which clients see them; each resolves when it is done. */
export type StartSteps = Record<StepStatus, (context: StartStepContext) => Promise<void>>
type StepStatus = Exclude<StartTaskStatus, 'WORKING' | 'READY' | 'ERROR'>

const ORDER: readonly StepStatus[] = [
  'WAITING_FOR_SANDBOX',
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'STARTING_CONVERSATION',
]

/** Progress is saved and published at most this often; the end of a step always is. */
const REPORT_INTERVAL_MS = 200

type SaveStart = (task: AppConversationStartTask, firstMessage: SendMessageRequest | null) => void

/** One start under way. */
export class StartWork {
  readonly #task: AppConversationStartTask
  readonly #signal: AbortSignal
  readonly #save: SaveStart
  #firstMessage: SendMessageRequest | null = null
  #savedAt = 0
  #saveLater: NodeJS.Timeout | undefined

  constructor(task: AppConversationStartTask, signal: AbortSignal, save: SaveStart) {
    this.#task = structuredClone(task)
    this.#signal = signal
    this.#save = save
  }

  async run(steps: StartSteps, conversationId: ConversationId): Promise<void> {
    for (const status of ORDER) {
      this.#signal.throwIfAborted()
      const step: StartStep = {
        status,
        started_at: new Date().toISOString(),
        finished_at: null,
        detail: null,
        progress: null,
      }
      this.#task.status = status
      this.#task.steps.push(step)
      this.#saveNow()
      await steps[status]({
        signal: this.#signal,
        report: report => this.#report(step, report),
        sandboxStarted: sandboxId => {
          this.#task.sandbox_id = sandboxId
          this.#saveNow()
        },
        agentServerFound: url => {
          this.#task.agent_server_url = url
          this.#saveNow()
        },
        messageReady: message => {
          this.#firstMessage = message
          this.#saveNow()
        },
      })
      step.finished_at = new Date().toISOString()
    }
    this.#firstMessage = null
    this.#task.status = 'READY'
    this.#task.app_conversation_id = conversationId
    this.#saveNow()
  }

  fail(detail: string): void {
    this.#firstMessage = null
    this.#task.status = 'ERROR'
    this.#task.detail = detail
    this.#saveNow()
  }

  #report(step: StartStep, { detail, progress, isWaiting = false }: StepReport): void {
    if (detail !== undefined) step.detail = detail.slice(0, 500)
    this.#task.detail = isWaiting ? step.detail : null
    if (progress !== undefined) step.progress = progress
    const wait = this.#savedAt + REPORT_INTERVAL_MS - Date.now()
    if (wait <= 0) this.#saveNow()
    // The last report before a silence is the one that people read.
    else this.#saveLater ??= setTimeout(() => this.#saveReport(), wait)
  }

  /** One that the disk refuses is left out: the next one tells more. */
  #saveReport(): void {
    try {
      this.#saveNow()
    } catch (error) {
      if (!isStoreRefusal(error)) throw error
    }
  }

  #saveNow(): void {
    clearTimeout(this.#saveLater)
    this.#saveLater = undefined
    this.#savedAt = Date.now()
    this.#save(this.#task, this.#firstMessage)
  }
}
