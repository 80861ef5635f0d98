import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type { openPullRequest, PullRequest } from '../../api/v1/git/pull-requests.ts'
import type { Bus } from '../../bus.ts'
import { AppError } from '../../domain/errors.ts'
import type { TokenSource } from '../../git/credentials.ts'
import { type ProviderRemote, providerRemote } from '../../git/remote.ts'
import { type RepositoryFacts, readFacts } from '../../git/state.ts'
import type { Forge } from '../../git-providers/api/client/forge.ts'
import type { Forges } from '../../git-providers/api/forges.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { ConversationService } from '../service.ts'
import { noRemote, noToken } from './problems.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'findOwn'>
  rows: ConversationTable
  sandboxes: SandboxService
  forges: Forges
  tokens: Pick<TokenSource, 'rows'>
  bus: Bus
}

interface Place {
  conversation: Conversation
  facts: RepositoryFacts
  branch: string
  remote: ProviderRemote
}

/** The pull or merge request of the branch that a conversation works on. */
export class ConversationPullRequests {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** The open one; null when there is none. @throws AppError conflict, provider_*, and those of the sandbox */
  async find(id: string, signal: AbortSignal): Promise<PullRequest | null> {
    const { conversation, branch, remote } = await this.#place(id, signal)
    const found = await this.#ask(remote, signal, ({ pullRequests }) => pullRequests.from(remote.repository, branch))
    if (found) this.#keep(conversation, found.number)
    return found && { git_provider: remote.name, ...found }
  }

  /** The one that is there, or a new one. @throws AppError git_refused, and as `find` */
  async open(
    id: string,
    { title, body, base, draft }: RouteBody<typeof openPullRequest>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof openPullRequest>> {
    const { conversation, facts, branch, remote } = await this.#place(id, signal)
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
    return { pull_request: { git_provider: remote.name, ...request }, existing }
  }

  #ask<T>({ name }: ProviderRemote, signal: AbortSignal, work: (forge: Forge) => Promise<T>): Promise<T> {
    return this.#dependencies.forges.ask(name, signal, work)
  }

  async #place(id: string, signal: AbortSignal): Promise<Place> {
    const { conversations, sandboxes, tokens } = this.#dependencies
    const conversation = conversations.findOwn(id)
    const sandbox = await sandboxes.open(conversation.sandbox_id, conversation.working_dir)
    const facts = await readFacts(sandbox, signal)
    if (facts.url === null) throw noRemote()
    const remote = providerRemote(facts.url, tokens)
    if (!remote) throw noToken(facts.url)
    if (facts.branch === null) {
      throw new AppError('conflict', 'No branch is checked out. Commit to a new branch, and push that.')
    }
    return { conversation, facts, branch: facts.branch, remote }
  }

  #keep({ id }: Conversation, number: number): void {
    const { rows, bus } = this.#dependencies
    const known = rows.get(id)?.pr_number
    if (!known || known.includes(number)) return
    rows.update(id, { pr_number: [...known, number] })
    bus.publish({ resource: 'conversation', id })
  }
}
