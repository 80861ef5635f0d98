import type { Express } from 'express'
import * as routes from '../../../api/v1/git/commits.ts'
import { draftGitMessage } from '../../../api/v1/git/drafts.ts'
import {
  answerReviewThread,
  applySuggestion,
  getPullRequestStatus,
  resolveReviewThread,
  startPullRequestTask,
} from '../../../api/v1/git/pull-request-status.ts'
import { findPullRequest, openPullRequest } from '../../../api/v1/git/pull-requests.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'
import { mountDownload } from '../../mount/stream.ts'

/** State, commits, pushes and pull requests of the repository that a conversation works in. */
export function mountConversationGit(app: Express, { git, drafts, pullRequests }: Services): void {
  mount(app, routes.getGitState, ({ params, signal }) => git.state(params.conversation_id, signal))
  mount(app, routes.commitChanges, ({ params, body, signal }) => git.commit(params.conversation_id, body, signal))
  mount(app, draftGitMessage, ({ params, body, signal }) => drafts.write(params.conversation_id, body, signal))
  mount(app, routes.pushBranch, ({ params, body, signal }) => git.push(params.conversation_id, body, signal))
  mountDownload(
    app,
    routes.downloadPatch,
    ({ params }) => fileName(params, 'patch'),
    ({ params, signal }) => git.patch(params.conversation_id, signal),
  )
  mountDownload(
    app,
    routes.downloadBundle,
    ({ params }) => fileName(params, 'bundle'),
    ({ params, signal }) => git.bundle(params.conversation_id, signal),
  )
  mount(app, findPullRequest, ({ params, signal }) => pullRequests.find(params.conversation_id, signal))
  mount(app, getPullRequestStatus, ({ params, signal }) => pullRequests.status(params.conversation_id, signal))
  mount(app, startPullRequestTask, ({ params, body, signal }) =>
    pullRequests.startTask(params.conversation_id, body, signal),
  )
  mount(app, answerReviewThread, ({ params, body, signal }) =>
    pullRequests.answerThread(params.conversation_id, params.thread_id, body.text, signal),
  )
  mount(app, applySuggestion, ({ params, body, signal }) =>
    pullRequests.applySuggestion(params.conversation_id, params.thread_id, body, signal),
  )
  mount(app, resolveReviewThread, ({ params, body, signal }) =>
    pullRequests.resolveThread(params.conversation_id, params.thread_id, body.resolved, signal),
  )
  mount(app, openPullRequest, ({ params, body, signal }) => pullRequests.open(params.conversation_id, body, signal))
}

function fileName({ conversation_id }: { conversation_id: string }, extension: string): string {
  return `conversation_${conversation_id.replaceAll('-', '')}.${extension}`
}
