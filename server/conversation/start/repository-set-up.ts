import type { ConversationTrust, RepositoryItem } from '../../api/v1/conversation/repository-trust.ts'
import type { Bus } from '../../bus.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { EventLog } from '../../event/log.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { Log } from '../../log.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { SandboxServices } from '../../sandbox/services/services.ts'
import type { SecretEnvironment } from '../../secret/mask/environment.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import { type ConversationRepository, unreadRepository } from '../../store/conversation/repositories.ts'
import { folderAt } from '../../trust/identity.ts'
import { inspectScripts, knownItems } from '../../trust/inspect.ts'
import { offerFor } from '../../trust/left-out.ts'
import type { RepositoryLocation } from '../../trust/read-files.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import { withOriginalFiles } from '../../trust/set-up-changes.ts'
import { announceLeftOut } from './left-out-notice.ts'
import { startTrustedServices } from './project-services.ts'
import { installGitHook, removeGitHook, runSetupScript } from './repository-scripts.ts'

interface Dependencies {
  trust: RepositoryTrust
  conversations: Pick<ConversationTable, 'get'>
  knowledge: Pick<Knowledge, 'known' | 'refresh'>
  sandboxes: Pick<SandboxService, 'open'>
  sandboxServices: Pick<SandboxServices, 'startAll'>
  /** As the conversation's agent has them. */
  environmentOf: (id: ConversationId) => SecretEnvironment
  mask: Pick<Mask, 'stream'>
  eventLog: EventLog
  bus: Bus
  log: Log
  /** What tool servers of the conversation run of its repository. */
  toolServerItems: (id: ConversationId, place: RepositoryLocation) => Promise<RepositoryItem[]>
  /** Tool servers of these conversations are looked at anew. */
  trustChanged: (ids: readonly ConversationId[]) => void
}

type ConversationSandbox = Pick<Conversation, 'id' | 'sandbox_id' | 'working_dir'>
type Progress = { state: 'running' | 'done' | 'failed'; detail: string }

/** What became of a repository's scripts in the start of a conversation. */
export type SetUpOutcome = Pick<
  ConversationRepository,
  'repository' | 'set_up_with' | 'installed_hook' | 'services_started' | 'settled'
>

/** Runs what runs by itself in a repository, with secrets only where a person trusts it. */
export class RepositorySetUp {
  readonly #dependencies: Dependencies
  readonly #progress = new Map<ConversationId, Progress>()
  readonly #running = new Set<Promise<void>>()
  /** Those whose first run begins as soon as their scripts have been read. */
  readonly #fresh = new Set<ConversationId>()
  readonly #closing = new AbortController()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Secrets that a set-up script names and may have now. @throws AppError of the vault when it may have one */
  async secretsFor(
    { id, repository }: { id: ConversationId; repository: string },
    item: RepositoryItem,
    signal: AbortSignal,
  ): Promise<{ named: string[]; trusted: boolean; env: Record<string, string> }> {
    const { trust, environmentOf } = this.#dependencies
    const named = trust.secretsNamed(id, item)
    const trusted = trust.isTrusted(repository, item, named)
    if (named.length === 0 || !trusted) return { named, trusted, env: {} }
    const all = await environmentOf(id).forCommand(item.files[0]?.text ?? '', signal)
    return { named, trusted, env: Object.fromEntries(Object.entries(all).filter(([name]) => named.includes(name))) }
  }

  /** What tool servers run of the repository; null where that cannot be read now. */
  async serverItems(id: ConversationId, place: RepositoryLocation): Promise<RepositoryItem[] | null> {
    try {
      return await this.#dependencies.toolServerItems(id, place)
    } catch (error) {
      place.signal.throwIfAborted()
      this.#dependencies.log.debug({ conversation: id, error: messageOf(error) }, 'Tool servers were not looked at')
      return null
    }
  }

  /**
   * Keeps what a start has done, and says in the log what was left out. The conversation exists. `isFresh`: its first run
   * follows at once, and need not read the scripts again.
   */
  started(
    id: ConversationId,
    scripts: readonly RepositoryItem[],
    { isFresh, ...outcome }: SetUpOutcome & { isFresh: boolean },
  ): void {
    const { trust, knowledge } = this.#dependencies
    // A hook may have lost its trust since it was installed.
    if (isFresh && outcome.installed_hook === null) this.#fresh.add(id)
    const items = [...scripts, ...knownItems(knowledge.known(id))]
    trust.keep(id, { ...outcome, items: withOriginalFiles(items, outcome), postponed: null, announced: [] })
    announceLeftOut(id, this.#dependencies)
  }

  /**
   * Reads anew when the sandbox runs; a git hook that is not trusted any more is removed. Never rejects: what cannot be read
   * stays as it was, and gets nothing that it did not have.
   */
  async refresh(conversation: ConversationSandbox, signal: AbortSignal): Promise<void> {
    if (this.#fresh.delete(conversation.id)) return
    try {
      await this.#readAnew(conversation, signal)
    } catch (error) {
      const { log } = this.#dependencies
      log.debug({ conversation: conversation.id, error: messageOf(error) }, 'The repository was not looked at anew')
    }
  }

  view(id: ConversationId): ConversationTrust {
    const shown = this.#dependencies.trust.view(id)
    return { ...shown, set_up: this.#progress.get(id) ?? this.#offer(id) }
  }

  /** Returns when it has begun. @throws AppError conflict when nothing can be done, and those of the sandbox */
  async begin(conversation: ConversationSandbox): Promise<void> {
    const { bus } = this.#dependencies
    const { id } = conversation
    await this.#readAnew(conversation, this.#closing.signal)
    if (this.#progress.get(id)?.state === 'running') return
    const again = this.#progress.get(id)?.state === 'failed'
    const wanted = again ? this.#trustedScripts(id) : this.#trustedLeftOut(id)
    if (wanted.length === 0) {
      throw new AppError(
        'conflict',
        'There is nothing to set up: nothing was left out, or it is not trusted as it is now.',
      )
    }
    this.#progress.set(id, { state: 'running', detail: 'Starting.' })
    const work = this.#carryOut(conversation, wanted)
      .then(
        outcome => outcome,
        (error): Progress => ({ state: 'failed', detail: messageOf(error) }),
      )
      .then(outcome => {
        this.#progress.set(id, outcome)
        bus.publish({ resource: 'conversation', id })
      })
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
    bus.publish({ resource: 'conversation', id })
  }

  /** Tool servers that waited for it start. */
  trusted(repository: string): void {
    const { trust, trustChanged } = this.#dependencies
    trustChanged(trust.conversationsIn(repository))
  }

  /**
   * Ends its tool servers, and removes the git hook from the sandboxes that run; others lose it before their agent goes on.
   * Never rejects.
   */
  async distrusted(repository: string): Promise<void> {
    const { trust, conversations, trustChanged } = this.#dependencies
    const ids = trust.conversationsIn(repository)
    trustChanged(ids)
    const hooked = ids.filter(id => trust.record(id)?.installed_hook).map(id => conversations.get(id))
    await Promise.all(hooked.map(found => found && this.refresh(found, this.#closing.signal)))
  }

  forget(id: ConversationId): void {
    this.#progress.delete(id)
    this.#fresh.delete(id)
  }

  async close(): Promise<void> {
    this.#closing.abort(new AppError('unavailable', 'Atelier is closing.'))
    await Promise.allSettled(this.#running)
  }

  async #carryOut(conversation: ConversationSandbox, wanted: readonly RepositoryItem[]): Promise<Progress> {
    const { sandboxes, trust } = this.#dependencies
    const { id, working_dir, sandbox_id } = conversation
    const { signal } = this.#closing
    const sandbox = await sandboxes.open(sandbox_id, working_dir)
    const outcomes: { ok: boolean; outcome: string }[] = []
    for (const shown of wanted) {
      // Read once more: the agent may be at work.
      const record = this.#record(conversation)
      const { repository } = record
      const scripts = await inspectScripts(sandbox, working_dir, { repository, signal })
      const item = scripts.find(({ role }) => role === shown.role)
      if (!item || withOriginalFiles([item], record)[0]?.sha256 !== shown.sha256) {
        outcomes.push({ ok: false, outcome: `${shown.path} has changed, so that it was left out.` })
      } else if (item.role === 'pre_commit') {
        if (!trust.isTrusted(record.repository, item)) continue
        await installGitHook(sandbox, working_dir, { item, signal })
        trust.keep(id, { ...record, installed_hook: item.sha256 })
        outcomes.push({ ok: true, outcome: 'The pre-commit hook is installed.' })
      } else if (item.role === 'services') {
        if (!trust.isTrusted(record.repository, item)) continue
        outcomes.push(await this.#startServices(conversation, item))
      } else {
        const { env, named } = await this.secretsFor({ id, repository }, shown, signal)
        const { mask } = this.#dependencies
        const onLine = (detail: string) => this.#report(id, detail)
        outcomes.push(await runSetupScript(sandbox, working_dir, { item, env, mask, signal, onLine }))
        trust.keep(id, {
          ...this.#record(conversation),
          set_up_with: Object.keys(env).filter(name => named.includes(name)),
        })
      }
    }
    const ok = outcomes.every(outcome => outcome.ok)
    return { state: ok ? 'done' : 'failed', detail: outcomes.map(({ outcome }) => outcome).join(' ') }
  }

  async #startServices(conversation: ConversationSandbox, item: RepositoryItem) {
    const { sandboxServices, trust } = this.#dependencies
    const { id, sandbox_id: sandboxId, working_dir: folder } = conversation
    const run = { report: (detail: string) => this.#report(id, detail), signal: this.#closing.signal }
    const outcome = await startTrustedServices(sandboxServices, { sandboxId, folder, item }, run)
    if (outcome.ok) trust.keep(id, { ...this.#record(conversation), services_started: item.sha256 })
    return outcome
  }

  #report(id: ConversationId, detail: string): void {
    this.#progress.set(id, { state: 'running', detail })
    this.#dependencies.bus.publish({ resource: 'conversation', id })
  }

  #offer(id: ConversationId): ConversationTrust['set_up'] {
    const record = this.#dependencies.trust.record(id)
    const view = this.#dependencies.trust.view(id)
    const offered = this.#trustedLeftOut(id)
    if (offered.length === 0 || record?.postponed === view.digest) return { state: 'none', detail: null }
    return { state: 'offered', detail: offered.map(offerFor).join(' ') }
  }

  /** What is trusted, and was left out all the same: trust came later, or the conversation asks before it acts. */
  #trustedLeftOut(id: ConversationId) {
    return this.#dependencies.trust.leftOut(id).flatMap(({ item }) => (item.trusted ? [item] : []))
  }

  #trustedScripts(id: ConversationId) {
    const { trust } = this.#dependencies
    const record = trust.record(id)
    const items = record ? trust.items(id, record) : []
    return items.filter(({ trusted, role }) => trusted && ['setup_script', 'pre_commit', 'services'].includes(role))
  }

  /** @throws AppError of the sandbox, and the signal's reason */
  async #readAnew(conversation: ConversationSandbox, signal: AbortSignal): Promise<void> {
    const { sandboxes, trust } = this.#dependencies
    const sandbox = await sandboxes.open(conversation.sandbox_id, conversation.working_dir)
    const before = this.#record(conversation)
    const place = { sandbox, folder: conversation.working_dir, signal }
    const items = withOriginalFiles(await this.#inspect(conversation.id, before.repository, place), before)
    const record = { ...this.#record(conversation), items }
    trust.keep(conversation.id, await this.#withoutDistrustedHook(record, { conversation, sandbox, signal }))
    announceLeftOut(conversation.id, this.#dependencies)
  }

  async #inspect(id: ConversationId, repository: string, place: RepositoryLocation): Promise<RepositoryItem[]> {
    const { knowledge, toolServerItems } = this.#dependencies
    const { sandbox, folder, signal } = place
    const [scripts, servers] = await Promise.all([
      inspectScripts(sandbox, folder, { repository, signal }),
      toolServerItems(id, place),
    ])
    return [...scripts, ...knownItems(knowledge.known(id)), ...servers]
  }

  /** One that was begun before trust was asked for has its folder as its repository. */
  #record({ id, sandbox_id, working_dir }: ConversationSandbox): ConversationRepository {
    const known = this.#dependencies.trust.record(id)
    if (known) return known
    const repository = folderAt({ sandboxId: sandbox_id, path: working_dir, hostPath: null })
    return unreadRepository(repository)
  }

  async #withoutDistrustedHook(
    record: ConversationRepository,
    {
      conversation,
      sandbox,
      signal,
    }: { conversation: ConversationSandbox; sandbox: SandboxHandle; signal: AbortSignal },
  ): Promise<ConversationRepository> {
    if (record.installed_hook === null) return record
    const item = record.items.find(({ role, sha256 }) => role === 'pre_commit' && sha256 === record.installed_hook)
    if (item && this.#dependencies.trust.isTrusted(record.repository, item)) return record
    await removeGitHook(sandbox, conversation.working_dir, signal)
    return { ...record, installed_hook: null }
  }
}
