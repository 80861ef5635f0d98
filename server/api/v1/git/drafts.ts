import { z } from 'zod'
import { IN_OWN_CONVERSATION, IN_SANDBOX, IN_VAULT, OF_MODEL } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { conversationParams } from '../conversation/params.ts'
import { commitFiles } from './commits.ts'

export const draftGitMessage = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/git/draft',
  summary: 'Draft the message of a commit or the text of a pull request',
  description:
    "Lets the conversation's model write what a commit or a pull request says, from the changes and the repository's last commits. Nothing is committed or opened; the cost counts as the conversation's. 409 when nothing differs.",
  tag: 'Git',
  params: conversationParams,
  body: z.object({
    for: z
      .enum(['commit', 'pull_request'])
      .default('commit')
      .describe('`commit`: of the changes that are not committed. `pull_request`: of the commits of the branch.'),
    ...commitFiles,
    base: argumentText(200)
      .nullish()
      .describe('The branch that a pull request is to be merged into; absent is the default branch.'),
  }),
  failures: [
    ...IN_OWN_CONVERSATION,
    ...IN_SANDBOX,
    ...OF_MODEL,
    ...IN_VAULT,
    'not_a_repository',
    'conflict',
    'git_refused',
  ],
  reply: z.object({
    title: z.string().describe('Subject of the commit, or title of the pull request.'),
    body: z.string().describe('What follows; empty when one line says it.'),
  }),
})
