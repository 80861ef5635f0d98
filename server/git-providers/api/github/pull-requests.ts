import { z } from 'zod'
import { bySlash } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import { MAX_LISTED, ownIn, type PullRequests, webAddress, withoutOrigin } from '../client/pull-requests.ts'
import { githubCheckLog, githubStatus } from './pull-request-status.ts'
import { answerOnGithub, resolveOnGithub } from './review-threads.ts'

const pullRequest = z
  .object({
    number: z.int(),
    html_url: webAddress,
    title: z.string(),
    draft: z.boolean().nullish(),
    head: z.object({ repo: z.object({ id: z.int() }).nullable() }),
    base: z.object({ ref: z.string(), repo: z.object({ id: z.int() }) }),
  })
  .transform(({ number, html_url, title, draft, head, base }) => ({
    number,
    url: html_url,
    title,
    draft: draft ?? false,
    base: base.ref,
    isOwn: head.repo?.id === base.repo.id,
  }))

/** https://docs.github.com/en/rest/pulls/pulls. */
export function githubPullRequests(client: ProviderClient, graphql: string): PullRequests {
  const path = (repository: string) => `/repos/${bySlash(repository)}/pulls`
  return {
    from: async (repository, branch) => {
      const query = { head: `${repository.split('/')[0]}:${branch}`, state: 'open', per_page: MAX_LISTED }
      const { data } = await client.json(path(repository), z.array(pullRequest), query)
      return ownIn(data)
    },
    open: async (repository, asked) => withoutOrigin(await client.post(path(repository), asked, pullRequest)),
    askReview: ({ repository, number }, reviewers) =>
      client.change('POST', `${path(repository)}/${number}/requested_reviewers`, { reviewers }),
    status: (repository, number) => githubStatus(client, graphql, { repository, number }),
    answer: (place, text) => answerOnGithub(client, graphql, place, text),
    resolve: (place, resolved) => resolveOnGithub(client, graphql, place, resolved),
    checkLog: (repository, id) => githubCheckLog(client, repository, id),
  }
}
