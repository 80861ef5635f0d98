import type { Express } from 'express'
import * as routes from '../../api/v1/git/commits.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

/** State, commits and pushes of the repository that a conversation works in. */
export function mountConversationGit(app: Express, { git }: Services): void {
  mount(app, routes.getGitState, ({ params, signal }) => git.state(params.conversation_id, signal))
  mount(app, routes.commitChanges, ({ params, body, signal }) => git.commit(params.conversation_id, body, signal))
  mount(app, routes.pushBranch, ({ params, body, signal }) => git.push(params.conversation_id, body, signal))
}
