import { join } from 'node:path'
import { defaultPolicy } from '../../agent/confirmation.ts'
import { defaultTitle } from '../../agent/default-title.ts'
import { NO_STATS } from '../../agent/limits.ts'
import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import type { RepositoryItem } from '../../api/v1/conversation/repository-trust.ts'
import { DEFAULT_SETTINGS } from '../../api/v1/settings/settings.ts'
import { messageOf } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { StartPlan } from '../../domain/start-plan.ts'
import type { EventLog } from '../../event/log.ts'
import type { Folders } from '../../folder/folders.ts'
import { credentialsFor, type TokenSource } from '../../git/credentials.ts'
import { commitIdentity } from '../../git/repository.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { StartProgress } from '../../sandbox/boot.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { ConversationSecrets } from '../../secret/conversation-secrets.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import { folderAt, repositoryOf } from '../../trust/identity.ts'
import { inspectScripts } from '../../trust/inspect.ts'
import { list } from '../../trust/left-out.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import { changesOfSetUp } from '../../trust/set-up-changes.ts'
import { prepareWorkspace } from '../files/workspace.ts'
import type { ConversationService } from '../service.ts'
import { installGitHook, runSetupScript } from './repository-scripts.ts'
import type { RepositorySetUp } from './repository-set-up.ts'
import type { StartStepContext, StartSteps, StartTasks, StepReport } from './tasks.ts'

export interface StartDependencies {
  conversations: ConversationTable
  eventLog: EventLog
  service: ConversationService
  tasks: StartTasks
  sandboxes: SandboxService
  settings: SettingsService
  tokens: TokenSource & { hostOf(provider: GitProvider): string | null }
  resourcesDir: string
  knowledge: Knowledge
  folders: Folders
  secrets: Pick<ConversationSecrets, 'merge' | 'forget'>
  mask: Pick<Mask, 'stream'>
  trust: RepositoryTrust
  setUp: RepositorySetUp
  /** Where a folder of a sandbox lies on this machine; null for one that is not mounted. */
  hostPathOf: (sandboxId: string, path: string) => Promise<string | null>
}

/** Existing clients send instructions as a title. */
const MAX_TITLE = 200

/** One start: what each step does, and how it is undone. */
export class ConversationStart {
  readonly #plan: StartPlan
  readonly #dependencies: StartDependencies
  #sandboxId: string | undefined
  #ownsSandbox = false
  #release = () => {}
  #workingDir = ''
  /** What trust is asked for. */
  #repository = ''
  #scripts: RepositoryItem[] = []
  #setUpWith: string[] | null = null
  #installedHook: string | null = null

  constructor(plan: StartPlan, dependencies: StartDependencies) {
    this.#plan = plan
    this.#dependencies = dependencies
  }

  steps(): StartSteps {
    const { settings, tokens, resourcesDir, secrets, folders } = this.#dependencies
    const { conversationId, source } = this.#plan
    return {
      WAITING_FOR_SANDBOX: async context => {
        await secrets.merge(conversationId, this.#plan.secrets)
        if (source.kind === 'copied_folder') await folders.find(source.path)
        this.#sandboxId = await this.#provideSandbox(context)
      },
      PREPARING_REPOSITORY: async context => {
        const options = {
          ...context,
          identity: commitIdentity(settings.read()),
          demonstrationDir: join(resourcesDir, 'demonstration', 'repository'),
          folders,
          conversation: conversationId,
          credentialsFor: (url: string) => credentialsFor(url, tokens),
        }
        this.#workingDir = await this.#prepare(options)
        this.#repository = await this.#repositoryOf()
      },
      RUNNING_SETUP_SCRIPT: async context => {
        this.#scripts = await this.#inspectScripts(context.signal)
        await this.#runSetupScript(context)
      },
      SETTING_UP_GIT_HOOKS: context => this.#installGitHook(context),
      STARTING_CONVERSATION: async ({ signal, agentServerFound }) => {
        agentServerFound(await this.#agentServer())
        await this.#startConversation(signal)
      },
    }
  }

  async undo(): Promise<void> {
    const { sandboxes, secrets, folders } = this.#dependencies
    this.#release()
    if (this.#ownsSandbox && this.#sandboxId) await sandboxes.abandon(this.#sandboxId)
    for (const kept of [folders.copies, secrets]) await kept.forget(this.#plan.conversationId)
  }

  async #provideSandbox(context: Parameters<StartSteps['WAITING_FOR_SANDBOX']>[0]): Promise<string> {
    const { sandboxes } = this.#dependencies
    const id = this.#plan.request.sandbox_id ?? (await this.#createSandbox())
    this.#sandboxId = id
    this.#release = sandboxes.hold(id)
    context.sandboxStarted(id)
    await sandboxes.resume(id)
    await sandboxes.waitUntilRunning(id, {
      signal: context.signal,
      onProgress: progress => context.report(toReport(progress)),
    })
    return id
  }

  async #createSandbox(): Promise<string> {
    const { sandbox_spec_id } = this.#plan.request
    const { id } = await this.#dependencies.sandboxes.create(sandbox_spec_id, { isProvisional: true })
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

  /** A sub-conversation in its parent's folder works in its parent's repository, whatever its request names. */
  async #repositoryOf(): Promise<string> {
    const { trust, conversations, hostPathOf } = this.#dependencies
    const { parent_conversation_id, sandbox_id } = this.#plan.request
    const parent = parent_conversation_id ? conversations.get(parent_conversation_id as ConversationId) : undefined
    const inherited = parent && parent.sandbox_id === sandbox_id ? trust.record(parent.id)?.repository : undefined
    if (inherited) return inherited
    const path = this.#workingDir
    const sandboxId = this.#sandboxId ?? ''
    const cloned = parent && parent.sandbox_id === sandbox_id ? null : repositoryOf(this.#plan.source)
    return cloned ?? folderAt({ sandboxId, path, hostPath: await hostPathOf(sandboxId, path) })
  }

  async #runSetupScript({ report, signal }: StartStepContext): Promise<void> {
    const item = this.#scripts.find(({ role }) => role === 'setup_script')
    if (!item) return report({ detail: 'No setup script.' })
    const { env, missed } = await this.#secretsFor(item, signal)
    const { mask } = this.#dependencies
    const run = { item, env, mask, signal, onLine: (detail: string) => report({ detail }) }
    const { outcome } = await runSetupScript(await this.#sandbox(), this.#workingDir, run)
    this.#setUpWith = Object.keys(env)
    report({ detail: `${outcome}${missed}` })
  }

  /** Without them the script may still do what it can. `missed` is why it has none that it names. */
  async #secretsFor(
    item: RepositoryItem,
    signal: AbortSignal,
  ): Promise<{ env: Record<string, string>; missed: string }> {
    const { setUp, trust } = this.#dependencies
    const place = { id: this.#plan.conversationId, repository: this.#repository }
    const named = trust.secretsNamed(place.id, item)
    if (named.length === 0) return { env: {}, missed: '' }
    if (this.#policies().confirmation_policy.kind !== 'NeverConfirm') {
      return { env: {}, missed: ' It got no secrets, since this conversation asks before it acts.' }
    }
    try {
      const { env, trusted } = await setUp.secretsFor(place, item, signal)
      return { env, missed: trusted ? '' : ` It ran without ${list(named)}, since this repository is not trusted.` }
    } catch (error) {
      return { env: {}, missed: ` It got no secrets: ${messageOf(error)}` }
    }
  }

  async #installGitHook({ report, signal }: StartStepContext): Promise<void> {
    if (!this.#scripts.some(({ role }) => role === 'pre_commit')) return report({ detail: 'No git hooks.' })
    const sandbox = await this.#sandbox()
    // The set-up script may have changed it.
    const scripts = await this.#inspectScripts(signal)
    const item = scripts.find(({ role }) => role === 'pre_commit')
    if (!item || !this.#dependencies.trust.isTrusted(this.#repository, item)) {
      return report({ detail: 'The pre-commit hook is not installed, since this repository is not trusted.' })
    }
    try {
      await installGitHook(sandbox, this.#workingDir, { item, signal })
      this.#installedHook = item.sha256
      report({ detail: 'The pre-commit hook is installed.' })
    } catch (error) {
      signal.throwIfAborted()
      report({ detail: `The pre-commit hook could not be installed: ${messageOf(error)}` })
    }
  }

  async #agentServer(): Promise<string | null> {
    const [sandbox] = await this.#dependencies.sandboxes.batch([this.#sandboxId ?? ''])
    return sandbox?.exposed_urls?.find(({ name }) => name === 'AGENT_SERVER')?.url ?? null
  }

  async #startConversation(signal: AbortSignal): Promise<void> {
    const { conversations, sandboxes, service, knowledge, setUp } = this.#dependencies
    const { conversationId, initialMessage } = this.#plan
    const conversation = this.#conversation()
    const place = { workingDir: this.#workingDir, model: conversation.llm_model }
    const sandbox = await this.#sandbox()
    const [known, scripts, servers] = await Promise.all([
      knowledge.read(sandbox, place, signal),
      this.#scripts.length > 0 ? this.#inspectScripts(signal) : [],
      setUp.serverItems(conversationId, { sandbox, folder: this.#workingDir, signal }),
    ])
    conversations.insert(conversation)
    if (this.#ownsSandbox) sandboxes.keep(conversation.sandbox_id)
    this.#release()
    knowledge.keep(conversationId, known, { isFresh: initialMessage !== null })
    setUp.started(conversationId, [...scripts, ...servers], {
      repository: this.#repository,
      set_up_with: this.#setUpWith,
      installed_hook: this.#installedHook,
      // In a sandbox of its own nothing else can have changed what the set-up script names.
      settled: this.#ownsSandbox ? changesOfSetUp(this.#scripts, scripts) : null,
    })
    if (initialMessage) service.send(conversationId, { ...initialMessage, run: true })
  }

  async #inspectScripts(signal: AbortSignal): Promise<RepositoryItem[]> {
    return inspectScripts(await this.#sandbox(), this.#workingDir, { repository: this.#repository, signal })
  }

  #conversation(): Conversation {
    const { request, source, conversationId, instructions, replay, askedAt } = this.#plan
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
      source_folder: source.kind === 'copied_folder' ? source.path : null,
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
  if (progress.phase !== 'image') return { detail: progress.detail, isWaiting: progress.phase === 'queue' }
  return { detail: progress.detail, progress: { done: progress.doneBytes, total: progress.totalBytes } }
}
