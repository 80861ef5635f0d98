import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseTrajectory } from '../../agent/trajectory.ts'
import type { SendMessageRequest } from '../../api/event/events.ts'
import type { AttemptChoice } from '../../api/v1/conversation/attempts.ts'
import {
  type AppConversationStartRequest,
  type AppConversationStartTask,
  appConversationStartRequest,
  type NewAppConversation,
} from '../../api/v1/conversation/starts.ts'
import { AppError } from '../../domain/errors.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../../domain/ids.ts'
import type { StartPlan, WorkspaceSource } from '../../domain/start-plan.ts'
import { checkBranch, parseRepository } from '../../git/repository.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import { hasNoSandbox, requestToGoOn, storeContinuation } from './continuation.ts'
import { ConversationStart } from './conversation-start.ts'
import type { StartDependencies } from './dependencies.ts'
import { type ForkPlan, ForkStart, type ForkStartDependencies } from './fork-start.ts'

/** Turns requests for a conversation into start tasks. */
export class Starter {
  readonly #dependencies: StartDependencies & ForkStartDependencies

  constructor(dependencies: StartDependencies & ForkStartDependencies) {
    this.#dependencies = dependencies
  }

  /** @throws AppError bad_request, invalid_id, conversation_exists, conversation_not_found (parent), model_not_set, not_found (saved model, attachment), conflict (attachment), too_many_sandboxes (attempts) */
  start(
    asked: NewAppConversation,
    extra: { instructions?: string | null; folder?: string } = {},
  ): AppConversationStartTask {
    refuseSecondSource(asked)
    const isBeside = asked.sandbox_id || asked.parent_conversation_id
    if (asked.attempts) this.#dependencies.attempts().require(asked.attempts, isBeside ? 1 : 0)
    const named = this.#withSavedModel(asked)
    if (named.forked_from_conversation_id) return this.#fork(named, named.forked_from_conversation_id)
    const request = this.#inherit(named)
    if (request.initial_message) this.#requireModel(request)
    return this.#start(request, { ...extra, initialMessage: request.initial_message ?? null, replay: null })
  }

  /**
   * A conversation whose agent answers as a recorded one did.
   * @param replay JSON of its events, of either generation
   * @throws AppError as `start` does, trajectory_invalid
   */
  async startReplay(
    asked: NewAppConversation,
    replay: string,
    extra: { instructions?: string | null } = {},
  ): Promise<AppConversationStartTask> {
    const { initialMessage } = await parseTrajectory(replay)
    const request = this.#inherit(asked)
    if (request.initial_message) {
      throw new AppError(
        'bad_request',
        'A replay brings its own first message. Leave out initial_user_msg, or replay_json.',
      )
    }
    return this.#start(request, { ...extra, initialMessage: userText(initialMessage), replay })
  }

  #start(
    { secrets, ...request }: NewAppConversation,
    extra: Pick<StartPlan, 'initialMessage' | 'replay'> & { instructions?: string | null; folder?: string },
  ): AppConversationStartTask {
    const { initialMessage, replay, instructions = null, folder } = extra
    return this.#begin({
      conversationId: this.#freeId(request.conversation_id),
      request,
      secrets: secrets ?? {},
      source: folder === undefined ? this.sourceOf(request) : { kind: 'folder', path: folder },
      initialMessage,
      instructions,
      replay,
    })
  }

  /** @throws AppError unavailable when the app was built without it */
  async startDemonstration(): Promise<AppConversationStartTask> {
    const replay = await this.#demonstrationFile('trajectory.json')
    const initialMessage = userText((await parseTrajectory(replay)).initialMessage)
    return this.#begin({
      conversationId: newConversationId(),
      request: appConversationStartRequest.parse({ title: 'Demonstration: fix a failing test', trigger: 'gui' }),
      secrets: {},
      source: { kind: 'demonstration', name: 'price-list' },
      initialMessage,
      instructions: null,
      replay,
    })
  }

  #fork({ secrets, ...request }: NewAppConversation, from: string): AppConversationStartTask {
    const original = this.#dependencies.service.findOwn(from)
    if (request.initial_message) this.#requireModel({ ...request, llm_model: request.llm_model ?? original.llm_model })
    const fork = { original, eventId: request.forked_from_event_id ?? null }
    const goesOn = hasNoSandbox(original)
    const wanted = goesOn ? requestToGoOn(request, original) : request
    return this.#begin(
      {
        conversationId: this.#freeId(request.conversation_id),
        request: wanted,
        secrets: secrets ?? {},
        source: goesOn ? this.#sourceToGoOn(wanted, original) : { kind: 'folder', path: original.working_dir },
        initialMessage: request.initial_message ?? null,
        instructions: goesOn ? original.instructions : null,
        replay: null,
      },
      fork,
    )
  }

  /** What was imported of it, else the repository anew. */
  #sourceToGoOn(request: NewAppConversation, { id, working_dir: path }: Conversation): WorkspaceSource {
    const isImported = this.#dependencies.folders.imported.has(id)
    const repository = this.sourceOf(request)
    return isImported ? { kind: 'imported_folder', conversation: id, path, otherwise: repository } : repository
  }

  #begin(asked: Omit<StartPlan, 'taskId' | 'askedAt'>, fork?: ForkPlan): AppConversationStartTask {
    const plan = { ...asked, taskId: newConversationId(), askedAt: new Date().toISOString() }
    const { attachments, tasks } = this.#dependencies
    const work = this.#workFor(plan, fork)
    const release = attachments.claim(plan.request)
    const undo = () => work.undo().finally(release)
    try {
      return tasks.begin(plan, work.steps(), undo)
    } catch (error) {
      release()
      throw error
    }
  }

  #workFor(plan: StartPlan, fork: ForkPlan | undefined): ForkStart | ConversationStart {
    if (!fork) return new ConversationStart(plan, this.#dependencies)
    if (!hasNoSandbox(fork.original)) return new ForkStart(plan, fork, this.#dependencies)
    const { forks, eventLog } = this.#dependencies
    const isImported = plan.source.kind === 'imported_folder'
    return new ConversationStart(plan, this.#dependencies, storeContinuation(fork, { forks, eventLog, isImported }))
  }

  #inherit(request: NewAppConversation): NewAppConversation {
    if (!request.parent_conversation_id) return request
    const parent = this.#dependencies.service.find(request.parent_conversation_id)
    return {
      ...request,
      parent_conversation_id: parent.id,
      sandbox_id: request.sandbox_id || parent.sandbox_id || null,
      selected_repository: request.selected_repository ?? parent.selected_repository,
      selected_branch: request.selected_branch ?? parent.selected_branch,
      git_provider: request.git_provider ?? parent.git_provider,
      llm_model: request.llm_model ?? parent.llm_model,
    }
  }

  #withSavedModel(request: NewAppConversation): NewAppConversation {
    if (!request.profile) return request
    return { ...request, llm_model: this.#dependencies.models.savedModel(request.profile).model }
  }

  #requireModel(request: AppConversationStartRequest): void {
    // Only attempts answer then, each with a model of its own.
    if (request.attempts && areNamed(request.attempts)) return
    if (request.llm_model || this.#dependencies.settings.read().llm_model) return
    throw new AppError(
      'model_not_set',
      'No model is set up. Choose one in Settings › Model, then send the message again.',
    )
  }

  /** What a conversation would begin with. @throws AppError bad_request */
  sourceOf(
    request: Pick<AppConversationStartRequest, 'source' | 'selected_repository' | 'selected_branch' | 'git_provider'>,
  ): WorkspaceSource {
    if (request.source) {
      const { path, mode, include_changes: includeChanges, confirm_in_place: isConfirmed } = request.source
      if (mode === 'copy') return { kind: 'copied_folder', path, includeChanges }
      return { kind: 'mounted_folder', path, mode, includeChanges, isConfirmed }
    }
    if (!request.selected_repository) return { kind: 'empty' }
    const branch = request.selected_branch ? checkBranch(request.selected_branch) : null
    const provider = request.git_provider ?? 'github'
    const stored = this.#dependencies.tokens.rows().find(row => row.provider === provider)
    return { kind: 'repository', ...parseRepository(request.selected_repository, provider, stored), branch }
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

/** Whether each of them has a model of its own. */
function areNamed({ models, profiles }: AttemptChoice): boolean {
  return models.every((model, index) => model || profiles?.[index])
}

/** What a copied sandbox has already, and a request cannot choose anew. */
const OF_THE_ORIGINAL = [
  'sandbox_id',
  'sandbox_spec_id',
  'dev_container',
  'source',
  'selected_repository',
  'selected_branch',
  'git_provider',
  'parent_conversation_id',
] as const

/** @throws AppError bad_request */
function refuseSecondSource(request: AppConversationStartRequest): void {
  refuseBesideFork(request)
  refuseBesideFolder(request)
  refuseBesideDevContainer(request)
  refuseAttempts(request)
  if (!request.attachments?.length || request.initial_message) return
  throw new AppError('bad_request', 'Attachments go with the first message. Give initial_message, or leave them out.')
}

function refuseAttempts({ attempts, initial_message, forked_from_conversation_id }: AppConversationStartRequest): void {
  if (!attempts) return
  if (!initial_message) {
    throw new AppError(
      'bad_request',
      'Attempts are made at the first message. Give initial_message, or leave them out.',
    )
  }
  if (!forked_from_conversation_id) return
  throw new AppError(
    'bad_request',
    'Attempts that go on from a conversation are begun in it. Leave out forked_from_conversation_id, or post them to its attempts.',
  )
}

function refuseBesideDevContainer(request: AppConversationStartRequest): void {
  if (!request.dev_container) return
  const named = (['sandbox_id', 'sandbox_spec_id', 'parent_conversation_id'] as const).filter(name => request[name])
  if (named.length > 0) {
    throw new AppError('bad_request', `A dev container makes a sandbox of its own. Leave out ${named.join(', ')}.`)
  }
  if (request.selected_repository || request.source) return
  throw new AppError('bad_request', 'A dev container belongs to a repository or a folder. Name it too.')
}

function refuseBesideFork(request: AppConversationStartRequest): void {
  if (!request.forked_from_conversation_id) {
    if (!request.forked_from_event_id) return
    throw new AppError('bad_request', 'Name the conversation of forked_from_event_id as forked_from_conversation_id.')
  }
  const named = OF_THE_ORIGINAL.filter(name => request[name])
  if (named.length === 0) return
  throw new AppError('bad_request', `A fork works in a copy of what its original has. Leave out ${named.join(', ')}.`)
}

function refuseBesideFolder({
  source,
  sandbox_id,
  selected_repository,
  parent_conversation_id,
}: AppConversationStartRequest): void {
  if (!source) return
  if (source.mode !== 'copy' && sandbox_id) {
    throw new AppError('bad_request', 'A folder is mounted when its sandbox is made. Leave out sandbox_id, or copy it.')
  }
  if (selected_repository) {
    throw new AppError('bad_request', 'Both source and selected_repository say what to work on. Leave out one of them.')
  }
  if (!parent_conversation_id) return
  throw new AppError('bad_request', 'A sub-conversation works in the folder of its parent. Leave out source.')
}

function userText(text: string): SendMessageRequest {
  return { role: 'user', content: [{ type: 'text', text }], run: true }
}
