import { join } from 'node:path'
import type { RepositoryItem } from '../../api/v1/conversation/repository-trust.ts'
import { messageOf } from '../../domain/errors.ts'
import type { LoadedExtensions } from '../../domain/loaded-extensions.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { StartPlan, WorkspaceSource } from '../../domain/start-plan.ts'
import type { Mountable } from '../../folder/mount/mounts.ts'
import { credentialsFor } from '../../git/credentials.ts'
import { commitIdentity } from '../../git/repository.ts'
import { folderAt, repositoryOf } from '../../trust/identity.ts'
import { inspectScripts } from '../../trust/inspect.ts'
import { list } from '../../trust/left-out.ts'
import { changesOfSetUp } from '../../trust/set-up-changes.ts'
import { prepareWorkspace } from '../files/workspace.ts'
import type { StartDependencies } from './dependencies.ts'
import { DevContainerStart } from './dev-container-start.ts'
import { FirstMessage } from './first-message.ts'
import { agentServerOf, toReport } from './progress.ts'
import { startServicesOfTrusted } from './project-services.ts'
import { conversationOf, modelOf, parentInSandbox, policiesOf, type StoreConversation } from './record.ts'
import { installGitHook, runSetupScript } from './repository-scripts.ts'
import type { StartStepContext, StartSteps } from './work.ts'

type MountedSource = Extract<WorkspaceSource, { kind: 'mounted_folder' }>

/** One start: what each step does, and how it is undone. */
export class ConversationStart {
  readonly #plan: StartPlan
  readonly #dependencies: StartDependencies
  readonly #devContainer: DevContainerStart
  readonly #store: StoreConversation
  readonly #firstMessage: FirstMessage
  #sandboxId: string | undefined
  #ownsSandbox = false
  #mounted: Mountable | undefined
  #release = () => {}
  #workingDir = ''
  /** What trust is asked for. */
  #repository = ''
  #scripts: RepositoryItem[] = []
  #setUpWith: string[] | null = null
  #installedHook: string | null = null
  #servicesStarted: string | null = null
  /** Read while scripts are looked for; there are rarely any. */
  #knownBefore: Promise<LoadedExtensions> | undefined

  /** @param store how the conversation is stored, if not as one that nothing was said in yet */
  constructor(plan: StartPlan, dependencies: StartDependencies, store?: StoreConversation) {
    this.#plan = plan
    this.#store = store ?? (async conversation => dependencies.conversations.insert(conversation))
    this.#dependencies = dependencies
    this.#devContainer = new DevContainerStart(plan, dependencies)
    this.#firstMessage = new FirstMessage(plan, dependencies)
  }

  steps(): StartSteps {
    const { settings, tokens, fetch, resourcesDir, secrets, folders } = this.#dependencies
    const { conversationId, source } = this.#plan
    const devContainer = this.#devContainer
    return {
      WAITING_FOR_SANDBOX: async context => {
        await secrets.merge(conversationId, this.#plan.secrets)
        if (source.kind === 'copied_folder') await folders.find(source.path)
        if (source.kind === 'mounted_folder') this.#mounted = await this.#mount(source, context)
        await devContainer.prepare(context)
        this.#sandboxId = await this.#provideSandbox(context)
        devContainer.describe(context)
      },
      PREPARING_REPOSITORY: async context => {
        const options = {
          ...context,
          identity: commitIdentity(settings.read()),
          demonstrationDir: join(resourcesDir, 'demonstration', 'repository'),
          folders,
          conversation: conversationId,
          mountedAt: this.#mounted?.path,
          credentialsFor: (url: string) => credentialsFor(url, tokens),
          fetch,
          isFetched: devContainer.isAsked,
        }
        this.#workingDir = await this.#prepare(options)
        this.#repository = await this.#repositoryOf()
      },
      RUNNING_SETUP_SCRIPT: async context => {
        // What it makes is a part of what is read after it.
        const outcome = await devContainer.setUp(await this.#sandbox(), this.#workingDir, context)
        const known = this.#readKnown(context.signal)
        // Whoever awaits it gets the error.
        known.catch(() => {})
        this.#scripts = await this.#inspectScripts(context.signal)
        if (this.#scripts.length === 0) this.#knownBefore = known
        // Before the script, which may fill a database.
        const place = { sandboxId: this.#sandboxId ?? '', folder: this.#workingDir, repository: this.#repository }
        const services = { ...place, items: this.#scripts }
        this.#servicesStarted = await startServicesOfTrusted(this.#dependencies, services, context)
        await this.#runSetupScript(context, outcome)
      },
      SETTING_UP_GIT_HOOKS: context => this.#installGitHook(context),
      STARTING_CONVERSATION: async context => {
        context.agentServerFound(await agentServerOf(this.#dependencies.sandboxes, this.#sandboxId ?? ''))
        await this.#startConversation(context)
      },
    }
  }

  async undo(): Promise<void> {
    const { sandboxes, secrets, folders } = this.#dependencies
    this.#release()
    this.#firstMessage.release()
    if (this.#ownsSandbox && this.#sandboxId) await sandboxes.abandon(this.#sandboxId)
    await this.#mounted?.undo()
    for (const kept of [folders.copies, secrets]) await kept.forget(this.#plan.conversationId)
  }

  async #provideSandbox(context: Parameters<StartSteps['WAITING_FOR_SANDBOX']>[0]): Promise<string> {
    const { sandboxes } = this.#dependencies
    const id = this.#plan.request.sandbox_id || (await this.#createSandbox())
    this.#sandboxId = id
    this.#release = sandboxes.hold(id)
    context.sandboxStarted(id)
    await sandboxes.resume(id)
    await this.#firstMessage.keepPlaces({ sandboxId: id, isOwn: this.#ownsSandbox })
    await sandboxes.waitUntilRunning(id, {
      signal: context.signal,
      onProgress: progress => context.report(toReport(progress)),
    })
    return id
  }

  #mount(source: MountedSource, { report, signal }: StartStepContext): Promise<Mountable> {
    if (source.mode === 'worktree') report({ detail: `Making a worktree beside ${source.path}.` })
    const { conversationId: conversation, request } = this.#plan
    const specId = this.#devContainer.isAsked ? undefined : (request.sandbox_spec_id ?? null)
    return this.#dependencies.mounts.prepare({ ...source, conversation, specId }, signal)
  }

  async #createSandbox(): Promise<string> {
    const { sandbox_spec_id, network_policy } = this.#plan.request
    const own = { folder: this.#mounted, spec: this.#devContainer.spec }
    const options = { isProvisional: true, ...own, policy: network_policy ?? undefined }
    const { id } = await this.#dependencies.sandboxes.create(sandbox_spec_id, options)
    this.#ownsSandbox = true
    return id
  }

  /** A sub-conversation works in the folder of its parent, in the same sandbox. */
  async #prepare(options: Parameters<typeof prepareWorkspace>[2]): Promise<string> {
    const parent = parentInSandbox(this.#plan, this.#dependencies.conversations)
    if (parent) return parent.working_dir
    return prepareWorkspace(await this.#sandbox(), this.#devContainer.placed(this.#plan.source), options)
  }

  /** A sub-conversation in its parent's folder works in its parent's repository, whatever its request names. */
  async #repositoryOf(): Promise<string> {
    const { trust, hostPathOf, conversations } = this.#dependencies
    const parent = parentInSandbox(this.#plan, conversations)
    const inherited = parent && trust.record(parent.id)?.repository
    if (inherited) return inherited
    const path = this.#workingDir
    const sandboxId = this.#sandboxId ?? ''
    const cloned = parent ? null : repositoryOf(this.#plan.source)
    return cloned ?? folderAt({ sandboxId, path, hostPath: await hostPathOf(sandboxId, path) })
  }

  /** @param before how what ran before it ended */
  async #runSetupScript({ report, signal }: StartStepContext, before: string): Promise<void> {
    const item = this.#scripts.find(({ role }) => role === 'setup_script')
    if (!item) return before || !this.#servicesStarted ? report({ detail: before || 'No setup script.' }) : undefined
    const { env, missed } = await this.#secretsFor(item, signal)
    const { mask } = this.#dependencies
    const run = { item, env, mask, signal, onLine: (detail: string) => report({ detail }) }
    const { outcome } = await runSetupScript(await this.#sandbox(), this.#workingDir, run)
    this.#setUpWith = Object.keys(env)
    report({ detail: `${before} ${outcome}${missed}`.trim() })
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
    if (this.#devContainer.isAsked) {
      return { env: {}, missed: ' It got no secrets, since every program of a dev container is its repository’s.' }
    }
    if (policiesOf(this.#plan, this.#dependencies.settings.read()).confirmation_policy.kind !== 'NeverConfirm') {
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

  async #startConversation(context: StartStepContext): Promise<void> {
    const { signal } = context
    const { sandboxes, knowledge, setUp, mounts, attachments, models } = this.#dependencies
    const { conversationId, initialMessage, request } = this.#plan
    // As it is now: it may have been changed since it was asked for.
    const { profile } = request
    const saved = profile ? models.savedModel(profile) : null
    const conversation = conversationOf(this.#plan, this.#dependencies.settings.read(), {
      sandboxId: this.#sandboxId ?? '',
      workingDir: this.#workingDir,
      mountedFolder: this.#mounted?.hostPath ?? null,
    })
    const sandbox = await this.#sandbox()
    const isFresh = initialMessage !== null && !request.attempts
    const [known, scripts, servers] = await Promise.all([
      this.#knownBefore ?? this.#readKnown(signal),
      this.#scripts.length > 0 ? this.#inspectScripts(signal) : [],
      setUp.serverItems(conversationId, { sandbox, folder: this.#workingDir, signal }),
    ])
    const own = { sandboxId: conversation.sandbox_id, isOwn: this.#ownsSandbox }
    await this.#firstMessage.prepare(sandbox, own, context)
    signal.throwIfAborted()
    await this.#store({ ...conversation, ...(saved && { llm_model: saved.model }), ...this.#firstMessage.title() })
    if (profile && saved) models.chooseSaved(conversationId, profile, saved)
    if (this.#ownsSandbox) sandboxes.keep(conversation.sandbox_id)
    void mounts.settle(conversationId, true)
    this.#release()
    knowledge.keep(conversationId, known, { isFresh })
    setUp.started(conversationId, [...scripts, ...(servers ?? [])], {
      repository: this.#repository,
      set_up_with: this.#setUpWith,
      installed_hook: this.#installedHook,
      services_started: this.#servicesStarted,
      // In a sandbox of its own nothing else can have changed what the set-up script names.
      settled: this.#ownsSandbox ? changesOfSetUp(this.#scripts, scripts) : null,
      isFresh: isFresh && servers !== null,
    })
    this.#firstMessage.send()
    await attachments.forget(request)
  }

  async #readKnown(signal: AbortSignal): Promise<LoadedExtensions> {
    const { knowledge, settings } = this.#dependencies
    const place = { workingDir: this.#workingDir, model: modelOf(this.#plan, settings.read()) }
    return knowledge.read(await this.#sandbox(), place, signal)
  }

  async #inspectScripts(signal: AbortSignal): Promise<RepositoryItem[]> {
    return inspectScripts(await this.#sandbox(), this.#workingDir, { repository: this.#repository, signal })
  }

  #sandbox(): Promise<SandboxHandle> {
    return this.#dependencies.sandboxes.open(this.#sandboxId ?? '')
  }
}
