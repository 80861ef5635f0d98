import { isDeepStrictEqual } from 'node:util'
import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import type {
  applySuggestion,
  PullRequestStatus,
  SuggestedChange,
  startPullRequestTask,
} from '../../api/v1/git/pull-request-status.ts'
import type { openPullRequest, PullRequest } from '../../api/v1/git/pull-requests.ts'
import type { Bus } from '../../bus.ts'
import { AppError } from '../../domain/errors.ts'
import { credentialsOf, type ProviderRemote, withoutLogin } from '../../git/remote.ts'
import { fetchBranch } from '../../git/transfer/fetch.ts'
import type { Forge } from '../../git-providers/api/client/forge.ts'
import type { OpenRequest, PullRequests, ThreadPlace } from '../../git-providers/api/client/pull-requests.ts'
import { withSuggestions } from '../../git-providers/api/client/suggestions.ts'
import type { Forges } from '../../git-providers/api/forges.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { ConversationReview } from '../review/review.ts'
import type { ConversationService } from '../service.ts'
import { type Place, placeIfAny, placeOf, placeSeen, type SeenPlaces } from './place.ts'
import { addressReview, failedChecks, fixChecks, MAX_LOGS, updateFromBase } from './pull-request-task.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'findOwn' | 'send'>
  rows: ConversationTable
  sandboxes: SandboxService
  forges: Forges
  review: Pick<ConversationReview, 'assertIdle' | 'replaceLines'>
  tokens: TokenSource
  mask: Pick<Mask, 'mask'>
  /** For what git itself transfers. */
  fetch: typeof globalThis.fetch
  bus: Bus
}

/** The pull or merge request of the branch that a conversation works on. */
export class ConversationPullRequests {
  readonly #dependencies: Dependencies
  readonly #seen: SeenPlaces = new Map()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    dependencies.rows.onDeleted(id => this.#seen.delete(id))
  }

  /** The open one; null when there is none. @throws AppError conflict, provider_*, and those of the sandbox */
  async find(id: string, signal: AbortSignal): Promise<PullRequest | null> {
    const { conversation, branch, remote } = await placeOf(id, this.#dependencies, signal)
    const found = await this.#ask(remote, signal, ({ pullRequests }) => pullRequests.from(remote.repository, branch))
    if (found) this.#keep(conversation, found.number)
    return found && this.#masked({ git_provider: remote.name, ...found })
  }

  /**
   * The one that is there, or a new one. Another remote or branch than those that a person saw is refused: the sandbox can
   * change both.
   * @throws AppError git_refused, conflict, and as `find`
   */
  async open(
    id: string,
    { url, branch: seen, title, body, base, draft, reviewers }: RouteBody<typeof openPullRequest>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof openPullRequest>> {
    const { conversation, facts, branch, remote } = await placeOf(id, this.#dependencies, signal)
    const { mask } = this.#dependencies.mask
    const shown = { url: mask(withoutLogin(facts.url)), branch: mask(branch) }
    if ((url ?? shown.url) !== shown.url || (seen ?? shown.branch) !== shown.branch) {
      throw new AppError(
        'conflict',
        'The repository is not as the request names it: its remote or its branch is another one. Look at its state, then open the pull request.',
      )
    }
    if (facts.upstream === null) {
      throw new AppError('conflict', `${branch} has not been pushed yet. Push it, then open the pull request.`)
    }
    const { repository } = remote
    const { existing, request } = await this.#ask(remote, signal, async forge => {
      const existing = await forge.pullRequests.from(repository, branch)
      if (existing) return { existing: true, request: existing }
      const into = base ?? facts.defaultBranch ?? (await forge.repository(repository)).main_branch
      if (!into) throw new AppError('conflict', 'The repository names no default branch. Name the base of the request.')
      if (into === branch) {
        throw new AppError('conflict', `${branch} cannot be merged into itself. Commit to a new branch, and push that.`)
      }
      const asked = { title, body, head: branch, base: into, draft }
      return { existing: false, request: await forge.pullRequests.open(repository, asked) }
    })
    this.#keep(conversation, request.number)
    const asked = { repository, number: request.number, title: request.title }
    const reviewers_problem = reviewers.length > 0 ? await this.#askReview(remote, asked, reviewers, signal) : null
    return this.#masked({ pull_request: { git_provider: remote.name, ...request }, existing, reviewers_problem })
  }

  /** What stands in the way, in words: the pull request is open all the same. */
  async #askReview(
    remote: ProviderRemote,
    request: OpenRequest,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      await this.#ask(remote, signal, ({ pullRequests }) => pullRequests.askReview(request, names))
      return null
    } catch (error) {
      if (error instanceof AppError) return error.message
      throw error
    }
  }

  /** Of the open one, or of the last one; null when there is none. @throws AppError provider_*, and those of the sandbox */
  async status(id: string, signal: AbortSignal): Promise<PullRequestStatus | null> {
    const place = await placeSeen(id, { ...this.#dependencies, seen: this.#seen }, signal)
    const status = place ? await this.#statusAt(place, signal) : await this.#lastStatus(id, signal)
    return status && this.#masked(status)
  }

  /**
   * Sends the agent what it needs for one kind of work on the pull request.
   * @throws AppError not_found without one, conflict when there is nothing to do, git_refused, and as `status`
   */
  async startTask(
    id: string,
    { kind }: RouteBody<typeof startPullRequestTask>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof startPullRequestTask>> {
    const { conversations, mask } = this.#dependencies
    const place = await placeOf(id, this.#dependencies, signal)
    const status = await this.#statusAt(place, signal)
    if (!status) throw new AppError('not_found', 'The branch has no pull request. Open one first.')
    const text = mask.mask(await this.#taskText(kind, { place, status }, signal))
    conversations.send(id, { role: 'user', content: [{ type: 'text', text }], run: true })
    return { text }
  }

  /** @throws AppError not_found without a pull request or thread, git_refused, and as `status` */
  answerThread(id: string, thread: string, text: string, signal: AbortSignal): Promise<{ success: true }> {
    return this.#onThread(id, thread, signal, (requests, place) => requests.answer(place, text))
  }

  /** @throws AppError as `answerThread` */
  resolveThread(id: string, thread: string, resolved: boolean, signal: AbortSignal): Promise<{ success: true }> {
    return this.#onThread(id, thread, signal, (requests, place) => requests.resolve(place, resolved))
  }

  /**
   * Into the file in the sandbox; the reply takes it back.
   * @throws AppError as `answerThread`, conflict for what is not suggested, and as `ConversationReview.replaceLines`
   */
  async applySuggestion(
    id: string,
    thread: string,
    wanted: SuggestedChange,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof applySuggestion>> {
    const { review } = this.#dependencies
    review.assertIdle(id)
    const place = await placeOf(id, this.#dependencies, signal)
    const status = withThread(await this.#statusAt(place, signal), thread)
    const found = status.threads.find(known => known.id === thread)
    const suggested = found?.comments.flatMap(({ suggestions }) => suggestions) ?? []
    const { mask } = this.#dependencies.mask
    // What was shown is masked.
    const one = suggested.find(known => isDeepStrictEqual(maskedValue(known, mask), maskedValue(wanted, mask)))
    if (!found?.path || !one) {
      throw new AppError('conflict', 'The comment does not suggest this any more. Look at it again.')
    }
    const { start_line: first, end_line: last, text } = one
    return review.replaceLines(id, { path: found.path, commit: status.sha, first, last, text }, signal)
  }

  /** Only a thread that its status shows: an id is no way to anything else at the provider. */
  async #onThread(
    id: string,
    thread: string,
    signal: AbortSignal,
    work: (requests: PullRequests, place: ThreadPlace) => Promise<void>,
  ): Promise<{ success: true }> {
    const { conversations, forges } = this.#dependencies
    const place = await this.#placeIfAny(id, signal)
    const status = withThread(place ? await this.#statusAt(place, signal) : await this.#lastStatus(id, signal), thread)
    const { git_provider, number } = status.pull_request
    const repository = place?.remote.repository ?? conversations.findOwn(id).selected_repository ?? ''
    await forges.ask(git_provider, signal, ({ pullRequests }) => work(pullRequests, { repository, number, id: thread }))
    return { success: true }
  }

  #masked<T>(value: T): T {
    return maskedValue(value, this.#dependencies.mask.mask)
  }

  async #taskText(
    kind: RouteBody<typeof startPullRequestTask>['kind'],
    { place, status }: { place: Place; status: PullRequestStatus },
    signal: AbortSignal,
  ): Promise<string> {
    const { tokens, fetch } = this.#dependencies
    const { remote, facts, sandbox } = place
    switch (kind) {
      case 'ADDRESS_REVIEW':
        return addressReview(status)
      case 'FIX_CHECKS': {
        const failed = failedChecks(status).slice(0, MAX_LOGS)
        const logs = await this.#ask(remote, signal, ({ pullRequests }) =>
          Promise.all(failed.map(async ({ id }) => [id, await pullRequests.checkLog(remote.repository, id)] as const)),
        )
        return fixChecks(status, new Map(logs))
      }
      case 'UPDATE_FROM_BASE': {
        const credentials = await credentialsOf(remote, tokens)
        const base = { remote: facts.remote, branch: status.pull_request.base }
        await fetchBranch(sandbox, base, { url: remote.url, credentials, fetch, signal })
        return updateFromBase(status, facts.remote)
      }
    }
  }

  /** Of the open one from the branch, otherwise of the last one that the conversation had from it. */
  async #statusAt(
    { conversation, branch, remote }: Pick<Place, 'conversation' | 'branch' | 'remote'>,
    signal: AbortSignal,
  ): Promise<PullRequestStatus | null> {
    const { name, repository } = remote
    const open = await this.#ask(remote, signal, ({ pullRequests }) => pullRequests.from(repository, branch))
    if (open) this.#keep(conversation, open.number)
    const number = open?.number ?? conversation.pr_number.at(-1)
    if (number === undefined) return null
    const status = await this.#statusOf({ name, repository, number }, signal)
    return status.branch === branch ? status : null
  }

  /** Without the sandbox, of what the conversation began with. */
  async #lastStatus(id: string, signal: AbortSignal): Promise<PullRequestStatus | null> {
    const {
      git_provider: name,
      selected_repository: repository,
      pr_number,
    } = this.#dependencies.conversations.findOwn(id)
    const number = pr_number.at(-1)
    if (!name || !repository || number === undefined) return null
    return this.#statusOf({ name, repository, number }, signal)
  }

  async #statusOf(
    { name, repository, number }: { name: GitProvider; repository: string; number: number },
    signal: AbortSignal,
  ): Promise<PullRequestStatus> {
    const { forges } = this.#dependencies
    const said = await forges.ask(name, signal, ({ pullRequests }) => pullRequests.status(repository, number))
    const threads = said.threads.map(withSuggestions)
    return { ...said, threads, pull_request: { git_provider: name, ...said.pull_request } }
  }

  /** null where no branch of a provider is checked out, or the sandbox does not run. */
  #placeIfAny(id: string, signal: AbortSignal): Promise<Place | null> {
    return placeIfAny(id, this.#dependencies, signal)
  }

  #ask<T>({ name }: ProviderRemote, signal: AbortSignal, work: (forge: Forge) => Promise<T>): Promise<T> {
    return this.#dependencies.forges.ask(name, signal, work)
  }

  #keep({ id }: Conversation, number: number): void {
    const { rows, bus } = this.#dependencies
    const known = rows.get(id)?.pr_number
    if (!known || known.includes(number)) return
    rows.update(id, { pr_number: [...known, number] })
    bus.publish({ resource: 'conversation', id })
  }
}

/** @throws AppError not_found without a pull request, or without the thread */
function withThread(status: PullRequestStatus | null, thread: string): PullRequestStatus {
  if (!status) throw new AppError('not_found', 'The branch has no pull request. Open one first.')
  if (status.threads.some(({ id }) => id === thread)) return status
  throw new AppError('not_found', 'The pull request has no such comment any more. Look at its state again.')
}
