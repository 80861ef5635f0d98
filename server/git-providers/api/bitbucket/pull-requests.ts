import { z } from 'zod'
import { bySlash } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import {
  MAX_LISTED,
  ownIn,
  type PullRequests,
  unknownReviewers,
  webAddress,
  withoutOrigin,
} from '../client/pull-requests.ts'
import { bitbucketStatus } from './pull-request-status.ts'

const repository = z.object({ full_name: z.string() })

const pullRequest = z
  .object({
    id: z.int(),
    title: z.string(),
    draft: z.boolean().nullish(),
    links: z.object({ html: z.object({ href: webAddress }) }),
    source: z.object({ repository: repository.nullish() }),
    destination: z.object({ branch: z.object({ name: z.string() }), repository }),
  })
  .transform(({ id, title, draft, links, source, destination }) => ({
    number: id,
    url: links.html.href,
    title,
    draft: draft ?? false,
    base: destination.branch.name,
    isOwn: source.repository?.full_name === destination.repository.full_name,
  }))

const members = z.object({
  values: z.array(z.object({ user: z.object({ uuid: z.string(), nickname: z.string().nullish() }) })),
})
const MAX_MEMBERS = 100

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/. */
export function bitbucketPullRequests(client: ProviderClient): PullRequests {
  const path = (repository: string) => `/repositories/${bySlash(repository)}/pullrequests`
  return {
    from: async (repository, branch) => {
      const name = branch.replaceAll(/["\\]/g, '\\$&')
      const query = { q: `source.branch.name = "${name}" AND state = "OPEN"`, pagelen: MAX_LISTED }
      const { data } = await client.json(path(repository), z.object({ values: z.array(pullRequest) }), query)
      return ownIn(data.values)
    },
    open: async (repository, { title, body, head, base, draft }) => {
      const branches = { source: { branch: { name: head } }, destination: { branch: { name: base } } }
      const asked = { title, description: body, draft, ...branches }
      return withoutOrigin(await client.post(path(repository), asked, pullRequest))
    },
    askReview: async ({ repository, number, title }, names) => {
      const workspace = encodeURIComponent(repository.split('/')[0] ?? '')
      const { data } = await client.json(`/workspaces/${workspace}/members`, members, { pagelen: MAX_MEMBERS })
      const uuidOf = (name: string) => data.values.find(({ user }) => user.nickname === name)?.user.uuid
      const unknown = names.filter(name => uuidOf(name) === undefined)
      if (unknown.length > 0) throw unknownReviewers(client.origin.host, unknown)
      const reviewers = names.map(name => ({ uuid: uuidOf(name) }))
      await client.change('PUT', `${path(repository)}/${number}`, { title, reviewers })
    },
    status: (repository, number) => bitbucketStatus(client, path(repository), number),
    answer: ({ repository, number, id }, text) =>
      client.change('POST', `${path(repository)}/${number}/comments`, {
        content: { raw: text },
        parent: { id: Number(id) },
      }),
    resolve: ({ repository, number, id }, resolved) =>
      client.change(
        resolved ? 'POST' : 'DELETE',
        `${path(repository)}/${number}/comments/${encodeURIComponent(id)}/resolve`,
      ),
    // A build says where a person reads its log, and no more.
    checkLog: async () => null,
  }
}
