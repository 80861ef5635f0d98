import { z } from 'zod'
import type { ProviderClient } from '../client/provider-client.ts'
import { type PullRequests, webAddress } from '../client/pull-requests.ts'
import { pathOf } from './path.ts'

const pullRequest = z
  .object({
    id: z.int(),
    title: z.string(),
    draft: z.boolean().nullish(),
    links: z.object({ self: z.tuple([z.object({ href: webAddress })]).rest(z.unknown()) }),
    toRef: z.object({ displayId: z.string() }),
  })
  .transform(({ id, title, draft, links, toRef }) => ({
    number: id,
    url: links.self[0].href,
    title,
    draft: draft ?? false,
    base: toRef.displayId,
  }))

/** https://developer.atlassian.com/server/bitbucket/rest/. Drafts are there since version 8.18; earlier ones leave the flag unread. */
export function bitbucketDataCenterPullRequests(client: ProviderClient): PullRequests {
  const path = (repository: string) => `${pathOf(repository)}/pull-requests`
  return {
    from: async (repository, branch) => {
      const query = { at: `refs/heads/${branch}`, direction: 'OUTGOING', state: 'OPEN', limit: 1 }
      const { data } = await client.json(path(repository), z.object({ values: z.array(pullRequest) }), query)
      return data.values[0] ?? null
    },
    open: (repository, { title, body, head, base, draft }) => {
      const refs = { fromRef: { id: `refs/heads/${head}` }, toRef: { id: `refs/heads/${base}` } }
      return client.post(path(repository), { title, description: body, draft, ...refs }, pullRequest)
    },
  }
}
