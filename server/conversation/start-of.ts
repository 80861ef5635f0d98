import { join } from 'node:path'
import { defaultPolicy } from '../agent/confirmation.ts'
import { NO_STATS } from '../agent/limits.ts'
import type { GitProvider } from '../api/app-conversations.ts'
import { DEFAULT_SETTINGS } from '../api/settings.ts'
import type { EventLog } from '../event/log.ts'
import { credentialsFor, type TokenSource } from '../git/credentials.ts'
import type { ConversationId } from '../ids.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { StartProgress } from '../sandbox/boot.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import type { Mask } from '../secret/mask.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Conversation, ConversationTable } from '../store/conversations.ts'
import type { StartPlan } from './plan.ts'
import { installGitHooks, runSetupScript } from './repository-scripts.ts'
import type { ConversationService } from './service.ts'
import type { StartSteps, StartTasks, StepReport } from './start.ts'
import { defaultTitle } from './title.ts'
import { prepareWorkspace } from './workspace.ts'

export interface StartDependencies {
  conversations: ConversationTable
  log: EventLog
  service: ConversationService
  tasks: StartTasks
  sandboxes: SandboxService
  settings: SettingsService
  tokens: TokenSource & { hostOf(provider: GitProvider): string | null }
  resourcesDir: string
  knowledge: Knowledge
  secrets: Pick<ConversationSecrets, 'merge' | 'forget' | 'environmentOf'>
  mask: Pick<Mask, 'stream'>
}

/** Existing clients send instructions as a title. */
const MAX_TITLE = 200
const DEFAULT_IDENTITY = { name: 'Atelier', email: 'atelier@localhost' }

/** One start: what each step does, and how it is undone. */
export class StartOf {
  readonly #plan: StartPlan
  readonly #dependencies: StartDependencies
  #sandboxId: string | undefined
  #ownsSandbox = false
  #workingDir = ''

  constructor(plan: StartPlan, dependencies: StartDependencies) {
    this.#plan = plan
    this.#dependencies = dependencies
  }

  steps(): StartSteps {
    const { settings, tokens, resourcesDir, secrets, mask } = this.#dependencies
    const { conversationId } = this.#plan
    const withheld = this.#policies().confirmation_policy.kind !== 'NeverConfirm'
    const setup = { ...secrets.environmentOf(conversationId), mask, withheld }
    return {
      WAITING_FOR_SANDBOX: async context => {
        await secrets.merge(conversationId, this.#plan.secrets)
        this.#sandboxId = await this.#provideSandbox(context)
      },
      PREPARING_REPOSITORY: async context => {
        const { git_user_name, git_user_email } = settings.read()
        const identity = {
          name: git_user_name || DEFAULT_IDENTITY.name,
          email: git_user_email || DEFAULT_IDENTITY.email,
        }
        const demonstrationDir = join(resourcesDir, 'demonstration', 'repository')
        const options = {
          ...context,
          identity,
          demonstrationDir,
          credentialsFor: (url: string) => credentialsFor(url, tokens),
        }
        this.#workingDir = await this.#prepare(options)
      },
      RUNNING_SETUP_SCRIPT: async context =>
        runSetupScript(await this.#sandbox(), this.#workingDir, { ...context, secrets: setup }),
      SETTING_UP_GIT_HOOKS: async context => installGitHooks(await this.#sandbox(), this.#workingDir, context),
      STARTING_CONVERSATION: async ({ signal, agentServerFound }) => {
        agentServerFound(await this.#agentServer())
        await this.#startConversation(signal)
      },
    }
  }

  async undo(): Promise<void> {
    const { sandboxes, secrets } = this.#dependencies
    await secrets.forget(this.#plan.conversationId)
    if (this.#ownsSandbox && this.#sandboxId) await sandboxes.delete(this.#sandboxId)
  }

  async #provideSandbox(context: Parameters<StartSteps['WAITING_FOR_SANDBOX']>[0]): Promise<string> {
    const { sandboxes } = this.#dependencies
    const id = this.#plan.request.sandbox_id ?? (await this.#createSandbox())
    this.#sandboxId = id
    context.sandboxStarted(id)
    await sandboxes.resume(id)
    await sandboxes.waitUntilRunning(id, {
      signal: context.signal,
      onProgress: progress => context.report(toReport(progress)),
    })
    return id
  }

  async #createSandbox(): Promise<string> {
    const { id } = await this.#dependencies.sandboxes.create(this.#plan.request.sandbox_spec_id)
    this.#ownsSandbox = true
    return id
  }

  /** A sub-conversation works in the folder of its parent, in the same sandbox. */
  async #prepare(options: Parameters<typeof prepareWorkspace>[2]): Promise<string> {
    const { conversations } = this.#dependencies
    const { parent_conversation_id, sandbox_id } = this.#plan.request
    const parent = parent_conversation_id ? conversations.get(parent_conversation_id as ConversationId) : undefined
    if (parent && parent.sandbox_id === sandbox_id) return parent.working_dir
    return prepareWorkspace(await this.#sandbox(), this.#plan.source, options)
  }

  async #agentServer(): Promise<string | null> {
    const [sandbox] = await this.#dependencies.sandboxes.batch([this.#sandboxId ?? ''])
    return sandbox?.exposed_urls?.find(({ name }) => name === 'AGENT_SERVER')?.url ?? null
  }

  async #startConversation(signal: AbortSignal): Promise<void> {
    const { conversations, service, knowledge } = this.#dependencies
    const { conversationId, initialMessage } = this.#plan
    const conversation = this.#conversation()
    const place = { workingDir: this.#workingDir, model: conversation.llm_model }
    const known = await knowledge.read(await this.#sandbox(), place, signal)
    conversations.insert(conversation)
    knowledge.keep(conversationId, known)
    if (initialMessage) service.send(conversationId, { ...initialMessage, run: true })
  }

  #conversation(): Conversation {
    const { request, conversationId, instructions, replay, askedAt } = this.#plan
    const settings = this.#dependencies.settings.read()
    const title = request.title?.slice(0, MAX_TITLE)
    return {
      id: conversationId,
      created_at: askedAt,
      updated_at: new Date().toISOString(),
      title: title || defaultTitle(conversationId),
      title_is_default: !title,
      sandbox_id: this.#sandboxId ?? '',
      working_dir: this.#workingDir,
      selected_repository: request.selected_repository ?? null,
      selected_branch: request.selected_branch ?? null,
      git_provider: request.git_provider ?? null,
      trigger: request.trigger ?? 'gui',
      pr_number: request.pr_number,
      llm_model: request.llm_model ?? settings.llm_model,
      instructions,
      parent_conversation_id: request.parent_conversation_id ?? null,
      execution_status: 'idle',
      limit_reached: null,
      max_iterations: request.max_iterations ?? settings.max_iterations ?? DEFAULT_SETTINGS.max_iterations,
      max_budget_per_task: request.max_budget_per_task ?? settings.max_budget_per_task,
      stats: NO_STATS,
      replay,
      agent_type: request.agent_type,
      ...this.#policies(),
      always_allowed: [],
      stuck_detection: true,
      forked_from_conversation_id: null,
      forked_from_event_id: null,
    }
  }

  #policies(): Pick<Conversation, 'confirmation_policy' | 'security_analyzer'> {
    const { confirmation_policy, security_analyzer } = this.#plan.request
    const { policy, analyzer } = defaultPolicy(this.#dependencies.settings.read())
    return {
      confirmation_policy: confirmation_policy ?? policy,
      security_analyzer: security_analyzer === undefined ? analyzer : security_analyzer,
    }
  }

  #sandbox(): Promise<SandboxHandle> {
    return this.#dependencies.sandboxes.open(this.#sandboxId ?? '')
  }
}

function toReport(progress: StartProgress): StepReport {
  if (progress.phase === 'boot') return { detail: progress.detail }
  return { detail: progress.detail, progress: { done: progress.doneBytes, total: progress.totalBytes } }
}
