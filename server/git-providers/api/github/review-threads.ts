import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import { bySlash } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import type { ThreadPlace } from '../client/pull-requests.ts'

const ANSWER = `mutation($id: ID!, $text: String!) {
  addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $id, body: $text }) { comment { id } }
}`
const RESOLVE = 'mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }'
const UNRESOLVE = 'mutation($id: ID!) { unresolveReviewThread(input: { threadId: $id }) { thread { id } } }'

const done = z.object({ data: z.record(z.string(), z.unknown()) })

/** A comment on the whole has no thread: its answer is another one. */
export async function answerOnGithub(
  client: ProviderClient,
  graphql: string,
  { repository, number, id }: ThreadPlace,
  text: string,
): Promise<void> {
  if (isThread(id)) await client.graphql(graphql, ANSWER, { id, text }, done)
  else await client.change('POST', `/repos/${bySlash(repository)}/issues/${number}/comments`, { body: text })
}

/** @throws AppError git_refused for a comment on the whole */
export async function resolveOnGithub(
  client: ProviderClient,
  graphql: string,
  { id }: ThreadPlace,
  resolved: boolean,
): Promise<void> {
  if (!isThread(id)) {
    throw new AppError('git_refused', 'GitHub resolves comments on lines alone. Answer this one instead.')
  }
  await client.graphql(graphql, resolved ? RESOLVE : UNRESOLVE, { id }, done)
}

/** The ids of comments begin otherwise. */
function isThread(id: string): boolean {
  return id.startsWith('PRRT_')
}
