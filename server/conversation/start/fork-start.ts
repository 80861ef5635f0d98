import type { Event } from '../../api/event/events.ts'
import type { StartPlan } from '../../domain/start-plan.ts'
import type { Folders } from '../../folder/folders.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { SandboxServices } from '../../sandbox/services/services.ts'
import type { ConversationSecrets } from '../../secret/conversation-secrets.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { type Forks, forkOf } from '../forks.ts'
import type { ConversationService } from '../service.ts'
import type { StartDependencies } from './dependencies.ts'
import { agentServerOf, toReport } from './progress.ts'
import { startTrustedServices } from './project-services.ts'
import { MAX_TITLE } from './record.ts'
import type { StartStepContext, StartSteps } from './work.ts'

export interface ForkStartDependencies extends Pick<StartDependencies, 'attachments' | 'models'> {
  service: ConversationService
  sandboxes: SandboxService
  checkpoints: Checkpoints
  sandboxServices: Pick<SandboxServices, 'startAll' | 'known'>
  trust: Pick<RepositoryTrust, 'record' | 'isTrusted'>
  forks: Forks
  folders: Pick<Folders, 'copies'>
  secrets: Pick<ConversationSecrets, 'merge' | 'forget'>
}

export interface ForkPlan {
  original: Conversation
  /** Last event that is copied; null copies all, with the files as they are. */
  eventId: string | null
}

/** The start of a conversation that goes on from where another one stood, in a copy of its sandbox. */
export class ForkStart {
  readonly #plan: StartPlan
  readonly #fork: ForkPlan
  readonly #dependencies: ForkStartDependencies
  readonly #releases: (() => void)[] = []
  #sandboxId: string | undefined
  #copied: Event[] = []
  /** Later ones are not in the copy. */
  #lastCheckpoint = 0

  constructor(plan: StartPlan, fork: ForkPlan, dependencies: ForkStartDependencies) {
    this.#plan = plan
    this.#fork = fork
    this.#dependencies = dependencies
  }

  steps(): StartSteps {
    const nothing = async ({ report }: StartStepContext) => report({ detail: 'As it was set up before.' })
    return {
      WAITING_FOR_SANDBOX: context => this.#copySandbox(context),
      PREPARING_REPOSITORY: context => this.#prepareFiles(context),
      RUNNING_SETUP_SCRIPT: context => this.#startServices(context),
      SETTING_UP_GIT_HOOKS: nothing,
      STARTING_CONVERSATION: async context => {
        context.agentServerFound(await agentServerOf(this.#dependencies.sandboxes, this.#sandboxId ?? ''))
        await this.#startConversation(context)
      },
    }
  }

  async undo(): Promise<void> {
    const { sandboxes, secrets, folders } = this.#dependencies
    this.#release()
    if (this.#sandboxId) await sandboxes.abandon(this.#sandboxId)
    for (const kept of [folders.copies, secrets]) await kept.forget(this.#plan.conversationId)
  }

  async #copySandbox({ signal, report, sandboxStarted }: StartStepContext): Promise<void> {
    const { sandboxes, checkpoints, forks } = this.#dependencies
    const { original, eventId } = this.#fork
    // Before the files: what is said meanwhile is no part of the fork.
    this.#copied = await forks.branch(original.id, eventId)
    await checkpoints.settled(original.id)
    this.#lastCheckpoint = checkpoints.last(original.id)
    this.#releases.push(sandboxes.hold(original.sandbox_id))
    const { id } = await sandboxes.create(null, { isProvisional: true, copyOf: original.sandbox_id })
    this.#sandboxId = id
    this.#releases.push(sandboxes.hold(id))
    sandboxStarted(id)
    await sandboxes.waitUntilRunning(id, { signal, onProgress: progress => report(toReport(progress)) })
  }

  async #prepareFiles({ signal, report }: StartStepContext): Promise<void> {
    const { sandboxes, checkpoints } = this.#dependencies
    const { original, eventId } = this.#fork
    const sandbox = await sandboxes.open(this.#sandboxId ?? '', original.working_dir)
    const asked = { from: original.id, to: this.#plan.conversationId, eventId }
    const isThen = await checkpoints.handOver(sandbox, asked, signal)
    const then = isThen ? 'The files are as they were then.' : 'The files are as they are now: they were not kept then.'
    report({ detail: eventId === null ? 'The files are as they are now.' : then })
  }

  /** The copy gets services of its own where the original has some: new ones, whose volumes are empty. */
  async #startServices({ signal, report }: StartStepContext): Promise<void> {
    const { sandboxServices, trust } = this.#dependencies
    const { id, sandbox_id, working_dir: folder } = this.#fork.original
    const record = sandboxServices.known(sandbox_id).length > 0 ? trust.record(id) : undefined
    const item = record?.items.find(({ role }) => role === 'services')
    if (!record || !item || !trust.isTrusted(record.repository, item)) {
      return report({ detail: 'As it was set up before.' })
    }
    const place = { sandboxId: this.#sandboxId ?? '', folder, item }
    const run = { report: (detail: string) => report({ detail }), signal }
    report({ detail: (await startTrustedServices(sandboxServices, place, run)).outcome })
  }

  async #startConversation({ signal, messageReady }: StartStepContext): Promise<void> {
    const { sandboxes, service, secrets, checkpoints, forks, folders, attachments, models } = this.#dependencies
    const { conversationId: id, request, initialMessage } = this.#plan
    const { eventId } = this.#fork
    const { profile } = request
    const saved = profile ? models.savedModel(profile) : null
    const sandbox = await sandboxes.open(this.#sandboxId ?? '')
    const handing = { request, conversation: id, signal }
    const message = initialMessage && (await attachments.handOver(sandbox, initialMessage, handing))
    if (message && request.attachments?.length) messageReady(message)
    signal.throwIfAborted()
    // What it is now: it may have been changed or deleted while it was copied.
    const original = service.findOwn(this.#fork.original.id)
    const isCopy = original.folder_mode === 'copy'
    if (isCopy) await folders.copies.copy(original.id, id)
    const forkedAt = eventId ?? this.#copied.at(-1)?.id ?? null
    const fork: Conversation = {
      ...forkOf(original, id, { title: request.title?.slice(0, MAX_TITLE), eventId: forkedAt }),
      sandbox_id: this.#sandboxId ?? '',
      mounted_folder: null,
      ...(isCopy && { source_folder: original.source_folder, folder_mode: original.folder_mode }),
      ...(request.llm_model && { llm_model: saved?.model ?? request.llm_model }),
      ...(request.max_iterations && { max_iterations: request.max_iterations }),
      ...(request.max_budget_per_task && { max_budget_per_task: request.max_budget_per_task }),
      ...(request.confirmation_policy && { confirmation_policy: request.confirmation_policy }),
      ...(request.security_analyzer !== undefined && { security_analyzer: request.security_analyzer }),
      ...(request.agent_type === 'plan' && { agent_type: request.agent_type }),
      ...(request.trigger && { trigger: request.trigger }),
      ...(request.pr_number.length > 0 && { pr_number: request.pr_number }),
    }
    await forks.store(fork, this.#copied, async () => {
      await secrets.merge(id, this.#plan.secrets)
      // The log may be long: until here nobody has seen the fork.
      signal.throwIfAborted()
      checkpoints.copy(original.id, id, { copied: this.#copied, last: this.#lastCheckpoint })
      if (profile && saved) models.chooseSaved(id, profile, saved)
      sandboxes.keep(fork.sandbox_id)
    })
    this.#release()
    if (message) service.send(id, { ...message, run: true })
    await attachments.forget(request)
  }

  #release(): void {
    for (const release of this.#releases.splice(0)) release()
  }
}
