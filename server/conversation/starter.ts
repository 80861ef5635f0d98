import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPolicy } from '../agent/confirmation.ts'
import { NO_STATS } from '../agent/limits.ts'
import {
  type AppConversationStartRequest,
  type AppConversationStartTask,
  appConversationStartRequest,
  type GitProvider,
  type NewAppConversation,
} from '../api/app-conversations.ts'
import type { SendMessageRequest } from '../api/events.ts'
import { DEFAULT_SETTINGS } from '../api/settings.ts'
import { AppError } from '../errors.ts'
import type { EventLog } from '../event/log.ts'
import { credentialsFor, type TokenSource } from '../git/credentials.ts'
import { checkBranch, parseRepository } from '../git/repository.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../ids.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { StartProgress } from '../sandbox/boot.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import type { Mask } from '../secret/mask.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Conversation, ConversationTable } from '../store/conversations.ts'
import type { StartPlan, WorkspaceSource } from './plan.ts'
import { installGitHooks, runSetupScript } from './repository-scripts.ts'
import type { ConversationService } from './service.ts'
import type { StartSteps, StartTasks, StepReport } from './start.ts'
import { defaultTitle } from './title.ts'
import { parseTrajectory } from './trajectory.ts'
import { prepareWorkspace } from './workspace.ts'

interface Dependencies {
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

const DEFAULT_IDENTITY = { name: 'Atelier', email: 'atelier@localhost' }

/** Turns requests for a conversation into start tasks. */
export class Starter {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * @throws AppError bad_request, invalid_id, conversation_exists, conversation_not_found (parent), model_not_set,
   * trajectory_invalid
   */
  start(
    { secrets, ...asked }: NewAppConversation,
    extra: { replay?: string | null; instructions?: string | null; folder?: string } = {},
  ): AppConversationStartTask {
    const request = this.#inherit(asked)
    const replay = extra.replay ?? null
    const recorded = replay === null ? null : parseTrajectory(replay).initialMessage
    if (recorded !== null && request.initial_message) {
      throw new AppError(
        'bad_request',
        'A replay brings its own first message. Leave out initial_user_msg, or replay_json.',
      )
    }
    const initialMessage = recorded === null ? (request.initial_message ?? null) : userText(recorded)
    if (initialMessage && replay === null) this.#requireModel(request)
    const conversationId = this.#freeId(request.conversation_id)
    return this.#begin({
      taskId: newConversationId(),
      conversationId,
      request,
      secrets: secrets ?? {},
      source: extra.folder === undefined ? this.#source(request) : { kind: 'folder', path: extra.folder },
      initialMessage,
      instructions: extra.instructions ?? null,
      replay,
    })
  }

  /** @throws AppError unavailable when the app was built without it */
  async startDemonstration(): Promise<AppConversationStartTask> {
    const replay = await this.#demonstrationFile('trajectory.json')
    const initialMessage = userText(parseTrajectory(replay).initialMessage)
    return this.#begin({
      taskId: newConversationId(),
      conversationId: newConversationId(),
      request: appConversationStartRequest.parse({ title: 'Demonstration: fix a failing test', trigger: 'gui' }),
      secrets: {},
      source: { kind: 'demonstration', name: 'price-list' },
      initialMessage,
      instructions: null,
      replay,
    })
  }

  #begin(plan: StartPlan): AppConversationStartTask {
    const work = new StartOf(plan, this.#dependencies)
    return this.#dependencies.tasks.begin(plan, work.steps(), () => work.undo())
  }

  #inherit(request: AppConversationStartRequest): AppConversationStartRequest {
    if (!request.parent_conversation_id) return request
    const parent = this.#dependencies.service.find(request.parent_conversation_id)
    return {
      ...request,
      parent_conversation_id: parent.id,
      sandbox_id: request.sandbox_id ?? parent.sandbox_id,
      selected_repository: request.selected_repository ?? parent.selected_repository,
      selected_branch: request.selected_branch ?? parent.selected_branch,
      git_provider: request.git_provider ?? parent.git_provider,
      llm_model: request.llm_model ?? parent.llm_model,
    }
  }

  #requireModel(request: AppConversationStartRequest): void {
    if (request.llm_model || this.#dependencies.settings.read().llm_model) return
    throw new AppError(
      'model_not_set',
      'No model is set up. Choose one in Settings › Model, then send the message again.',
    )
  }

  #source(request: AppConversationStartRequest): WorkspaceSource {
    if (!request.selected_repository) return { kind: 'empty' }
    const branch = request.selected_branch ? checkBranch(request.selected_branch) : null
    const provider = request.git_provider ?? 'github'
    const host = this.#dependencies.tokens.hostOf(provider)
    return { kind: 'repository', ...parseRepository(request.selected_repository, provider, host), branch }
  }

  #freeId(wanted: string | null | undefined): ConversationId {
    if (!wanted) return newConversationId()
    const id = parseConversationId(wanted)
    const starting = this.#dependencies.tasks.starting().some(({ conversationId }) => conversationId === id)
    if (starting || this.#dependencies.conversations.get(id)) {
      throw new AppError(
        'conversation_exists',
        'A conversation with this id exists already. Choose another id, or leave it out.',
      )
    }
    return id
  }

  async #demonstrationFile(name: string): Promise<string> {
    try {
      return await readFile(join(this.#dependencies.resourcesDir, 'demonstration', name), 'utf8')
    } catch (cause) {
      throw new AppError(
        'unavailable',
        'This build of Atelier does not carry the demonstration. Install Atelier again, or start with a task of your own.',
        { cause },
      )
    }
  }
}

/** One start: what each step does, and how it is undone. */
class StartOf {
  readonly #plan: StartPlan
  readonly #dependencies: Dependencies
  #sandboxId: string | undefined
  #ownsSandbox = false
  #workingDir = ''

  constructor(plan: StartPlan, dependencies: Dependencies) {
    this.#plan = plan
    this.#dependencies = dependencies
  }

  steps(): StartSteps {
    const { settings, tokens, resourcesDir, secrets, mask } = this.#dependencies
    const { conversationId } = this.#plan
    const setup = { ...secrets.environmentOf(conversationId), mask }
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
      STARTING_CONVERSATION: async ({ signal }) => this.#startConversation(signal),
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
    const { request, conversationId, instructions, replay } = this.#plan
    const settings = this.#dependencies.settings.read()
    const { policy, analyzer } = defaultPolicy(settings)
    const now = new Date().toISOString()
    return {
      id: conversationId,
      created_at: now,
      updated_at: now,
      title: request.title ?? defaultTitle(conversationId),
      title_is_default: !request.title,
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
      confirmation_policy: request.confirmation_policy ?? policy,
      security_analyzer: request.security_analyzer === undefined ? analyzer : request.security_analyzer,
      always_allowed: [],
      stuck_detection: true,
      forked_from_conversation_id: null,
      forked_from_event_id: null,
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

function userText(text: string): SendMessageRequest {
  return { role: 'user', content: [{ type: 'text', text }], run: true }
}
