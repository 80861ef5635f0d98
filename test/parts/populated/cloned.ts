import { getGitState } from '../../../server/api/v1/git/commits.ts'
import { getPullRequestStatus, type ReviewThread } from '../../../server/api/v1/git/pull-request-status.ts'
import { openPullRequest } from '../../../server/api/v1/git/pull-requests.ts'
import { COMMENTED } from '../../fakes/pull-requests.ts'
import { startConversation } from '../client/conversation.ts'
import { startGatewaySandbox } from '../client/gateway.ts'
import type { Around } from './things.ts'
import { storedToken, uncheckedToken } from './tokens.ts'

const FOLDER = '/workspace/project/hello'
/** The same commit wherever it is made. */
const COMMIT = `export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z
git -c user.name=A -c user.email=a@localhost commit -q`
const onBranch = (name: string) => `git checkout -q -b ${name} && echo two >>main.txt && git add -A && ${COMMIT} -m Two`
const ON_BRANCH = `${onBranch('feature')}; git update-ref -d refs/remotes/origin/feature`
/** As after a push. */
const published = (name: string) => `${onBranch(name)}; git update-ref refs/remotes/origin/${name} HEAD`
const DIVERGED = `git checkout -q main && echo three >main.txt && git add -A && ${COMMIT} --amend --reset-author -m Other`

/** Conversations with a clone of octocat/hello, each in a sandbox of its own, and what is in them. */
export class ClonedRepositories {
  readonly #around: () => Around
  #withComments: Promise<string> | undefined
  readonly #shas = new Map<string, string>()

  constructor(around: () => Around) {
    this.#around = around
  }

  readonly once: Readonly<Record<string, () => Promise<string>>> = {
    /** A file has changed. */
    committable: () => this.#cloned('echo two >>main.txt'),
    /** A commit on a branch that the remote has not. */
    pushable: () => this.#cloned(ON_BRANCH, 'pushable'),
  }
  readonly kept: Readonly<Record<string, () => Promise<string>>> = {
    /** The remote has another history. */
    diverged: () => this.#cloned(DIVERGED, 'diverged'),
    unreadable: () => this.#cloned('echo garbage >.git/index'),
    detached: () => this.#cloned('git checkout -q --detach'),
    published: () => this.#cloned(published('published')),
    /** An object that its last commit needs is gone. */
    unbundled: () =>
      this.#cloned(
        `git checkout -q -b broken && echo gone >gone.txt && git add -A && ${COMMIT} -m Gone; blob=$(git rev-parse HEAD:gone.txt); rm -f .git/objects/$(printf %s "$blob" | sed 's|^..|&/|')`,
      ),
    unrequested: () => this.#cloned(published('unrequested')),
    /** Its provider does not know the repository. */
    unknownRemote: async () => {
      const unknown = (await this.kept.remoteUrl?.())?.replace('octocat/hello', 'nobody/there')
      return this.#cloned(`${published('unknown')}; git remote set-url origin ${unknown}`)
    },
    requested: () => this.#requested('requested', 'main'),
    /** Into a branch that the remote has not. */
    requestedIntoNothing: () => this.#requested('into-nothing', 'gone'),
    /** With a comment on a line, and one on the whole. */
    commented: () => this.#commented(),
    reviewThread: () => this.#thread(({ path }) => path !== null),
    suggestingThread: () => this.#thread(({ comments }) => comments.some(({ suggestions }) => suggestions.length > 0)),
    commentOnWhole: () => this.#thread(({ path }) => path === null),
    /** Nobody listens where the remote is said to be, and the token is for that place. */
    lostRemote: async () => {
      const lost = 'git remote set-url origin http://host.docker.internal:1/octocat/hello.git'
      const behind = 'git update-ref refs/remotes/origin/feature HEAD~1'
      const conversation = await this.#cloned(`${ON_BRANCH}; ${behind}; ${lost}`)
      await uncheckedToken(this.#around(), 'good', 'http://127.0.0.1:1')
      return conversation
    },
    /** As the sandbox reaches it. */
    remoteUrl: async () =>
      `http://host.docker.internal:${new URL(this.#around().places.provider).port}/octocat/hello.git`,
    pushableSha: () => this.#sha('pushable', () => this.once.pushable),
    divergedSha: () => this.#sha('diverged', () => this.kept.diverged),
  }

  #commented(): Promise<string> {
    this.#withComments ??= this.#requested('commented', 'main', sha => `${COMMENTED} As of ${sha}.`)
    return this.#withComments
  }

  async #thread(isIt: (thread: ReviewThread) => boolean): Promise<string> {
    const conversation_id = await this.#commented()
    const { client } = this.#around().service
    const status = await client.call(getPullRequestStatus, { params: { conversation_id } })
    return status?.threads.find(isIt)?.id ?? ''
  }

  async #requested(branch: string, base: string, text = (_head: string | null) => ''): Promise<string> {
    const params = { conversation_id: await this.#cloned(published(branch)) }
    const { client } = this.#around().service
    const { head } = await client.call(getGitState, { params })
    await client.call(openPullRequest, { params, body: { title: 'Say it twice', base, body: text(head) } })
    const { conversation_id } = params
    return conversation_id
  }

  async #sha(of: string, made: () => (() => Promise<string>) | undefined): Promise<string> {
    if (!this.#shas.has(of)) await made()?.()
    return this.#shas.get(of) ?? ''
  }

  async #cloned(script: string, named?: string): Promise<string> {
    const { service, places } = this.#around()
    await storedToken({ service, places }, 'good')
    const { id, caller } = await startGatewaySandbox(service)
    const task = await startConversation(service, {
      sandbox_id: id,
      selected_repository: 'octocat/hello',
      git_provider: 'github',
    })
    if (task.status !== 'READY') throw new Error(task.detail ?? 'The conversation did not start.')
    const command = `{ ${script}\n} >/dev/null 2>&1; git rev-parse HEAD`
    const { body } = await caller.call('POST', '/api/bash/execute_bash_command', { command, cwd: FOLDER })
    if (named) this.#shas.set(named, body.stdout.trim())
    return task.app_conversation_id ?? ''
  }
}
