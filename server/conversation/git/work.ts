import type { Readable } from 'node:stream'
import type { RouteBody, RouteReply } from '../../api/contract/route.ts'
import type { commitChanges, GitState, pushBranch } from '../../api/v1/git/commits.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { writeBundle } from '../../git/bundle.ts'
import { commit } from '../../git/commit.ts'
import { writeDelta } from '../../git/delta.ts'
import { credentialsOf, type ProviderRemote, providerRemote, withoutLogin } from '../../git/remote.ts'
import { commitIdentity } from '../../git/repository.ts'
import { type RepositoryFacts, readFacts, readWorkingFiles } from '../../git/state.ts'
import { push } from '../../git/transfer/push.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { ConversationService } from '../service.ts'
import { noRemote, noToken } from './problems.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'findOwn'>
  sandboxes: SandboxService
  settings: Pick<SettingsService, 'read'>
  tokens: TokenSource
  mask: Pick<Mask, 'mask'>
  fetch: typeof globalThis.fetch
}

/** The repository that a conversation works in, as a person commits and pushes it. */
export class ConversationGit {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** @throws AppError not_a_repository, and those of the sandbox */
  async state(id: string, signal: AbortSignal): Promise<GitState> {
    const { sandbox } = await this.#open(id)
    const [facts, { files, more }] = await Promise.all([readFacts(sandbox, signal), readWorkingFiles(sandbox, signal)])
    const { settings, tokens, mask } = this.#dependencies
    const { branch, head, message, amendable, upstream, defaultBranch, ahead, behind } = facts
    const found = facts.url === null ? undefined : providerRemote(facts.url, tokens)
    const state: GitState = {
      branch,
      head,
      message,
      amendable,
      remote:
        facts.url === null ? null : { name: facts.remote, url: shown(facts.url), git_provider: found?.name ?? null },
      upstream,
      default_branch: defaultBranch,
      ahead,
      behind,
      push_problem: pushProblem(facts, found)?.message ?? null,
      identity: commitIdentity(settings.read()),
      files,
      more_files: more,
    }
    return maskedValue(state, mask.mask)
  }

  /** @throws AppError conflict, conversation_running, git_refused, bad_request, and those of the sandbox */
  async commit(
    id: string,
    { message, scope, paths, amend, new_branch }: RouteBody<typeof commitChanges>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof commitChanges>> {
    const { conversation, sandbox } = await this.#open(id)
    if (conversation.execution_status === 'running') {
      throw new AppError('conversation_running', 'The agent is at work on the files. Pause it, then commit.')
    }
    if (scope === 'paths' && paths.length === 0 && !amend) {
      throw new AppError('bad_request', 'paths names no file. Name those to commit, or choose another scope.')
    }
    if (!message && !amend) throw new AppError('bad_request', 'message is missing. Say what the commit does.')
    const facts = await readFacts(sandbox, signal)
    if (amend && !facts.amendable) throw new AppError('conflict', notAmendable(facts))
    const { settings, mask } = this.#dependencies
    const files = scope === 'paths' ? paths : scope
    const identity = commitIdentity(settings.read())
    const asked = { message: message ?? null, files, amend, newBranch: new_branch ?? null, identity }
    return maskedValue(await commit(sandbox, asked, signal), mask.mask)
  }

  /** @throws AppError conflict, git_refused, provider_*, and those of the sandbox and the vault */
  async push(
    id: string,
    asked: RouteBody<typeof pushBranch>,
    signal: AbortSignal,
  ): Promise<RouteReply<typeof pushBranch>> {
    const { tokens, mask } = this.#dependencies
    const { sandbox } = await this.#open(id)
    const facts = await readFacts(sandbox, signal)
    const found = facts.url === null ? undefined : providerRemote(facts.url, tokens)
    const problem = pushProblem(facts, found)
    if (problem && problem.code !== 'conflict') throw problem
    const { branch, head, url, remote } = facts
    const isAsSeen =
      asked.url === (url && mask.mask(shown(url))) &&
      asked.branch === (branch && mask.mask(branch)) &&
      asked.sha === head
    if (!isAsSeen || branch === null || url === null) {
      throw new AppError(
        'conflict',
        'The repository is not as the request names it: its remote, its branch or its last commit is another one. Look at its state, then push again.',
      )
    }
    if (problem) throw problem
    const credentials = found && (await credentialsOf(found, tokens))
    if (!found || !credentials) throw noToken(url)
    const { fetch } = this.#dependencies
    await push(sandbox, { url: found.url, credentials, remote, branch, sha: asked.sha }, { fetch, signal })
    return { remote, branch: asked.branch, sha: asked.sha }
  }

  /** To be read to the end or destroyed. @throws AppError not_a_repository, and those of the sandbox */
  async patch(id: string, signal: AbortSignal): Promise<Readable> {
    const { sandbox } = await this.#open(id)
    const { folder, patch } = await writeDelta(sandbox, sandbox.workingDir, { base: null, excluded: [], signal })
    return sentOnce(sandbox, patch, folder)
  }

  /** To be read to the end or destroyed. @throws AppError not_a_repository, conflict, git_refused, and those of the sandbox */
  async bundle(id: string, signal: AbortSignal): Promise<Readable> {
    const { sandbox } = await this.#open(id)
    const { folder, bundle } = await writeBundle(sandbox, signal)
    return sentOnce(sandbox, bundle, folder)
  }

  async #open(id: string): Promise<{ conversation: Conversation; sandbox: SandboxHandle }> {
    const conversation = this.#dependencies.conversations.findOwn(id)
    const { sandbox_id, working_dir } = conversation
    return { conversation, sandbox: await this.#dependencies.sandboxes.open(sandbox_id, working_dir) }
  }
}

/** Why the repository cannot be pushed as it is. */
function pushProblem(facts: RepositoryFacts, found: ProviderRemote | undefined): AppError | null {
  const { url, branch, head, ahead, upstream, remote } = facts
  if (url === null) return noRemote()
  if (!found) return noToken(url)
  if (branch === null) {
    return new AppError('conflict', 'No branch is checked out. Commit to a new branch first, then push it.')
  }
  if (head === null) return new AppError('conflict', 'There is no commit yet. Commit first, then push.')
  if (ahead === 0 && upstream !== null) {
    return new AppError('conflict', `${remote} has everything that is committed. Commit first, then push.`)
  }
  return null
}

/** Its folder is removed when the file has been read, or cannot be. */
async function sentOnce(sandbox: SandboxHandle, file: string, folder: string): Promise<Readable> {
  const remove = () => sandbox.exec({ argv: ['rm', '-rf', '--', folder] }).catch(() => {})
  try {
    const { content } = await sandbox.sendFile(file)
    return content.once('close', remove)
  } catch (error) {
    await remove()
    throw error
  }
}

function notAmendable({ head }: RepositoryFacts): string {
  if (head === null) return 'There is no commit to amend. Make one first.'
  return 'The last commit cannot be amended: a remote has it, or it was there before the conversation. Make a new one.'
}

function shown(url: string): string {
  return withoutLogin(url)
}
