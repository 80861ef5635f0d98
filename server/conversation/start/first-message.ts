import { titleFromMessage } from '../../agent/default-title.ts'
import type { SendMessageRequest } from '../../api/event/events.ts'
import { isAppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { StartPlan } from '../../domain/start-plan.ts'
import { textOf } from '../../event/model-messages.ts'
import type { StartDependencies } from './dependencies.ts'
import type { StartStepContext } from './work.ts'

type Dependencies = Pick<StartDependencies, 'attachments' | 'attempts' | 'mask' | 'sandboxes' | 'service' | 'tasks'>

/** Whether the sandbox of a start was made for it, and only it works there. */
interface StartSandbox {
  sandboxId: string
  isOwn: boolean
}

/** What is said first in a conversation: to its agent, or to several attempts, which need places for their sandboxes. */
export class FirstMessage {
  readonly #plan: StartPlan
  readonly #dependencies: Dependencies
  readonly #places: (() => void)[] = []
  #message: SendMessageRequest | null

  constructor(plan: StartPlan, dependencies: Dependencies) {
    this.#plan = plan
    this.#dependencies = dependencies
    this.#message = plan.initialMessage
  }

  /** Before anything is prepared. @throws AppError too_many_sandboxes where the attempts would find no place afterwards */
  async keepPlaces({ sandboxId, isOwn }: StartSandbox): Promise<void> {
    const { attempts } = this.#plan.request
    if (!attempts) return
    // The last one gets that of the sandbox itself, which has done its work by then.
    const count = attempts.models.length - (isOwn ? 1 : 0)
    await this.#keep(sandboxId, count, { givesWay: false })
  }

  /**
   * Does what is to be done before there is a conversation: without it the start fails.
   * @throws AppError not_found for a file or a saved model, too_many_sandboxes
   */
  async prepare(
    sandbox: SandboxHandle,
    { sandboxId, isOwn }: StartSandbox,
    { signal, messageReady }: Pick<StartStepContext, 'signal' | 'messageReady'>,
  ): Promise<void> {
    const { attachments, attempts } = this.#dependencies
    const { request, conversationId: conversation } = this.#plan
    if (!this.#message) return
    this.#message = await attachments.handOver(sandbox, this.#message, { request, conversation, signal })
    if (request.attachments?.length) messageReady(this.#message)
    signal.throwIfAborted()
    if (!request.attempts) return
    if (isOwn) await this.#keep(sandboxId, 1, { givesWay: true })
    signal.throwIfAborted()
    attempts().require(request.attempts, isOwn ? 0 : 1)
  }

  /** Where the attempts cannot be begun any more it waits in the conversation, which is there. */
  send(): void {
    const { service, attempts, tasks } = this.#dependencies
    const { conversationId, request } = this.#plan
    if (!this.#message) return
    if (!request.attempts) return void service.send(conversationId, { ...this.#message, run: true })
    try {
      const begun = attempts().beginWith(conversationId, this.#message, request.attempts)
      const starts = begun.attempts.map(({ start_task_id }) => tasks.end(start_task_id))
      void Promise.allSettled(starts).then(() => this.release())
    } catch (error) {
      this.release()
      service.send(conversationId, { ...this.#message, run: false })
      if (!isAppError(error)) throw error
    }
  }

  /** Where nothing is said in the conversation itself that would name it. */
  title(): { title?: string } {
    const { request, initialMessage } = this.#plan
    if (!request.attempts || !initialMessage || request.title) return {}
    const title = titleFromMessage(this.#dependencies.mask.mask(textOf(initialMessage.content)))
    return title === null ? {} : { title }
  }

  /** Attempts that have not taken their places take others, or are refused. */
  release(): void {
    for (const release of this.#places.splice(0)) release()
  }

  async #keep(sandboxId: string, count: number, how: { givesWay: boolean }): Promise<void> {
    if (count > 0) this.#places.push(await this.#dependencies.sandboxes.keepPlaces(sandboxId, count, how))
  }
}
