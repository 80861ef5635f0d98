import type { PromptContext } from '../agent/prompt.ts'
import type { Event, EventOf } from '../api/event/events.ts'
import type { SandboxServer } from '../api/v1/settings/mcp-servers.ts'
import { timeLimit } from '../async/time-limit.ts'
import type { AgentOptions } from '../domain/agent-options.ts'
import { messageOf } from '../domain/errors.ts'
import type { AgentHooks } from '../domain/hooks.ts'
import { type HooksConfig, mergeHooks, readHooks } from '../domain/hooks-config.ts'
import type { ConversationId } from '../domain/ids.ts'
import { type LoadedExtensions, NO_EXTENSIONS } from '../domain/loaded-extensions.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { Skill } from '../domain/skill.ts'
import type { SkillLibrary } from '../domain/skill-library.ts'
import { type SubAgent, withBuiltIn } from '../domain/sub-agent.ts'
import type { Log } from '../log.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Conversation } from '../store/conversation/conversations.ts'
import type { ConversationKnowledgeTable } from '../store/conversation/knowledge.ts'
import { type Activation, activateSkills } from './activate-skills.ts'
import { availableSkills } from './available-skills.ts'
import type { HookJudge } from './hook-question.ts'
import { Hooks } from './hooks.ts'
import { loadSkills } from './load-skills.ts'
import { createSkillLibrary } from './skill-library.ts'
import { givenSkills, type PromptKnowledge, promptKnowledge } from './skill-text.ts'
import { touchedPaths } from './touched-paths.ts'

interface Dependencies {
  table: ConversationKnowledgeTable
  sandboxes: Pick<SandboxService, 'open' | 'resume'>
  /** Folder of this machine with the user's own skills. */
  userHome: string
  defaultModel: () => string | null
  /** What the client that began the conversation wants to be run. */
  clientHooks: (id: ConversationId) => HooksConfig | null
  /** The sub-agents that it has described. */
  clientSubAgents: (id: ConversationId) => readonly SubAgent[]
  /** The skills that it has brought along, and which others it wants. */
  clientSkills: (id: ConversationId) => readonly Skill[]
  optionsOf: (id: ConversationId) => AgentOptions
  /** Whether a person trusts a skill of the repository, so that its commands are run. */
  trustsSkill: (id: ConversationId, skill: Skill) => boolean
  mask: (text: string) => string
  log: Log
}

type ConversationSandbox = Pick<Conversation, 'id' | 'sandbox_id' | 'working_dir' | 'llm_model'>

/** After what was said, for the agent alone. */
function withSuffix({ names, blocks }: Activation, suffix: string | null): Activation {
  return { names, blocks: suffix === null ? blocks : [...blocks, suffix] }
}

/** How many conversations are kept in memory. */
const MAX_KEPT = 50
const SESSION_END_MS = 10_000
const NOTHING: Activation = { names: [], blocks: [] }

/** Skills and hooks of conversations: read from the sandbox and the user's folder, kept, and asked for here. */
export class Knowledge {
  readonly #dependencies: Dependencies
  readonly #kept = new Map<ConversationId, LoadedExtensions>()
  readonly #hooks = new Map<ConversationId, Hooks>()
  /** Those whose first run begins as soon as their files have been read. */
  readonly #fresh = new Set<ConversationId>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Rejects only with the signal's reason: without skills one can work. */
  async read(
    sandbox: SandboxHandle,
    { workingDir, model }: { workingDir: string; model: string | null },
    signal: AbortSignal,
  ): Promise<LoadedExtensions> {
    const { userHome, defaultModel, log } = this.#dependencies
    try {
      const places = { sandbox, workingDir, userHome, model: model ?? defaultModel() }
      const { hooks, ...loaded } = await loadSkills(places, signal)
      const { config, problems: hookProblems } = readHooks(hooks)
      return { ...loaded, hooks: config, hookProblems }
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ error: messageOf(error) }, 'Skills could not be read')
      return { ...NO_EXTENSIONS, problems: [`Skills could not be read: ${messageOf(error)}`] }
    }
  }

  /** For a conversation that exists. `isFresh`: its first run follows at once, and need not read the files again. */
  keep(id: ConversationId, known: LoadedExtensions, { isFresh = false } = {}): void {
    if (isFresh) this.#fresh.add(id)
    this.#dependencies.table.save(id, known)
    this.#kept.delete(id)
    this.#kept.set(id, known)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest) this.#kept.delete(oldest)
  }

  copy(from: ConversationId, to: ConversationId): void {
    this.#dependencies.table.copy(from, to)
  }

  /** Reads anew when the sandbox runs, and leaves all as it is otherwise. Never rejects. */
  async refresh(place: ConversationSandbox, signal: AbortSignal): Promise<void> {
    if (this.#fresh.delete(place.id)) return
    const sandbox = await this.#running(place)
    if (!sandbox || signal.aborted) return
    try {
      const known = await this.read(sandbox, { workingDir: place.working_dir, model: place.llm_model }, signal)
      if (JSON.stringify(known) !== JSON.stringify(this.known(place.id))) this.keep(place.id, known)
    } catch (error) {
      this.#dependencies.log.debug({ conversation: place.id, error: messageOf(error) }, 'Skills were not read anew')
    }
  }

  known(id: ConversationId): LoadedExtensions {
    const known = this.#kept.get(id) ?? this.#dependencies.table.get(id) ?? NO_EXTENSIONS
    this.#kept.set(id, known)
    return known
  }

  forPrompt(id: ConversationId): PromptKnowledge & Pick<PromptContext, 'memory'> {
    const { memory, loadsMemory } = this.#dependencies.optionsOf(id)
    const { repositoryMemory, userMemory } = this.known(id)
    const files = loadsMemory ? { repository: repositoryMemory, user: userMemory } : { repository: null, user: null }
    return {
      ...promptKnowledge(this.#skills(id)),
      memory: memory === null ? files : { repository: null, user: memory },
    }
  }

  /** The repository's win over the client's of one name, and those over the user's own. */
  #skills(id: ConversationId): Skill[] {
    const { clientSkills, optionsOf } = this.#dependencies
    return availableSkills(this.known(id).skills, clientSkills(id), optionsOf(id))
  }

  /** Tool servers that skills of the repository bring along, by name; the first of a name wins. */
  toolServers(id: ConversationId): Record<string, SandboxServer> {
    const servers = this.#skills(id).map(skill => skill.servers)
    return Object.assign({}, ...servers.toReversed())
  }

  /** What a task can be given to. */
  subAgents(id: ConversationId): SubAgent[] {
    return withBuiltIn([...this.#dependencies.clientSubAgents(id), ...this.known(id).subAgents])
  }

  /** What a message makes active, each skill once. @param events the conversation's present branch, if it is needed */
  activate(id: ConversationId, text: string, events: () => readonly Event[]): Activation {
    const skills = this.#skills(id)
    const blocksOf = (activation: Activation) => withSuffix(activation, this.#dependencies.optionsOf(id).userSuffix)
    const first = activateSkills(skills, { text, already: new Set() })
    if (first.names.length === 0) return blocksOf(NOTHING)
    return blocksOf(activateSkills(skills, { text, already: givenSkills(events()) }))
  }

  /** For one run: what skills say about the files that a call touched; null is nothing. */
  forCalls(
    { id, working_dir }: Pick<Conversation, 'id' | 'working_dir'>,
    events: () => readonly Event[],
  ): (call: EventOf<'ActionEvent'>) => { names: string[]; text: string } | null {
    /** Calls that run at the same time are asked for before one of them is stored. */
    const told = new Set<string>()
    return call => {
      const skills = this.#skills(id).filter(({ activation }) => activation.kind === 'paths')
      if (!call.action || skills.length === 0) return null
      const paths = touchedPaths(call.action, working_dir)
      if (paths.length === 0 || activateSkills(skills, { paths, already: told }).names.length === 0) return null
      const already = new Set([...told, ...givenSkills(events())])
      const { names, blocks } = activateSkills(skills, { paths, already })
      for (const name of names) told.add(name)
      return names.length > 0 ? { names, text: blocks.join('\n\n') } : null
    }
  }

  skillLibrary(place: ConversationSandbox): SkillLibrary {
    const { mask, trustsSkill } = this.#dependencies
    return createSkillLibrary(() => this.#skills(place.id), {
      sandbox: () => this.#sandbox(place),
      workingDir: place.working_dir,
      mask,
      mayRun: skill => skill.source === 'user' || trustsSkill(place.id, skill),
    })
  }

  /** The client's, then the repository's. */
  hooksFor(id: ConversationId): HooksConfig | null {
    return mergeHooks(this.#dependencies.clientHooks(id), this.known(id).hooks)
  }

  /** null when there are none. @param judge who answers hooks that are questions to a model */
  hooks(place: ConversationSandbox, judge: HookJudge | null): AgentHooks | null {
    if (this.hooksFor(place.id) === null && this.known(place.id).hookProblems.length === 0) return null
    const own = this.#hooksOf(place)
    own.judgedBy(judge)
    return own
  }

  /** Tells the hooks that the conversation is over, if its sandbox runs. Never rejects. */
  async endSession(place: ConversationSandbox): Promise<void> {
    const hooks = this.hooksFor(place.id)
    if (!hooks || hooks.SessionEnd.length === 0 || !(await this.#running(place))) return
    await this.#hooksOf(place)
      .sessionEnd(timeLimit(SESSION_END_MS))
      .catch(error => this.#dependencies.log.debug({ error: messageOf(error) }, 'A SessionEnd hook did not end'))
  }

  /** Of a conversation that is deleted. */
  forget(id: ConversationId): void {
    this.#kept.delete(id)
    this.#fresh.delete(id)
  }

  /** Ends what hooks have started in the background, and forgets what can be read again. */
  async release(id: ConversationId): Promise<void> {
    const hooks = this.#hooks.get(id)
    this.#hooks.delete(id)
    this.#kept.delete(id)
    await hooks?.close()
  }

  #hooksOf(place: ConversationSandbox): Hooks {
    const existing = this.#hooks.get(place.id)
    if (existing) return existing
    const hooks = new Hooks({
      config: () => this.hooksFor(place.id),
      problems: () => this.known(place.id).hookProblems,
      sandbox: () => this.#sandbox(place),
      sessionId: place.id,
      workingDir: place.working_dir,
      mask: this.#dependencies.mask,
    })
    this.#hooks.set(place.id, hooks)
    return hooks
  }

  /** A paused one is resumed. */
  async #sandbox({ sandbox_id, working_dir }: ConversationSandbox): Promise<SandboxHandle> {
    await this.#dependencies.sandboxes.resume(sandbox_id)
    return this.#dependencies.sandboxes.open(sandbox_id, working_dir)
  }

  #running({ sandbox_id, working_dir }: ConversationSandbox): Promise<SandboxHandle | undefined> {
    return this.#dependencies.sandboxes.open(sandbox_id, working_dir).catch(() => undefined)
  }
}
