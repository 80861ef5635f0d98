import { AppError } from '../../domain/errors.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { WorkPublisher } from '../../tools/work-publisher.ts'
import type { ConversationPullRequests } from './pull-requests.ts'
import type { ConversationGit } from './work.ts'

/** A conversation's branch, as its agent asks for it to be sent. What is not as it was shown to a person is refused. */
export function createPublisher(
  { id, selected_repository, source_folder }: Conversation,
  {
    git,
    pullRequests,
    tokens,
  }: {
    git: Pick<ConversationGit, 'state' | 'push'>
    pullRequests: Pick<ConversationPullRequests, 'open'>
    tokens: Pick<TokenSource, 'rows'>
  },
): WorkPublisher {
  return {
    isPossible: () => (selected_repository !== null || source_folder !== null) && tokens.rows().length > 0,
    plan: async signal => {
      const state = await git.state(id, signal)
      const { branch, head, remote, ahead, upstream, push_problem, default_branch, files } = state
      const isThere = upstream !== null && ahead === 0
      if ((push_problem !== null && !isThere) || !remote || branch === null || head === null) {
        throw new AppError('conflict', push_problem ?? 'The branch cannot be pushed.')
      }
      return {
        remote: remote.name,
        url: remote.url,
        branch,
        default_branch,
        commit: head,
        commits: isThere ? 0 : Math.max(ahead, 1),
        uncommitted: files.length,
      }
    },
    push: async ({ url, branch, commit }, signal) => {
      await git.push(id, { url, branch, sha: commit }, signal)
    },
    openRequest: async ({ url, branch }, asked, signal) => {
      const { pull_request, existing } = await pullRequests.open(id, { ...asked, url, branch, reviewers: [] }, signal)
      return { url: pull_request.url, number: pull_request.number, existing }
    },
  }
}
