import { z } from 'zod'
import { bySlash } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import { type PullRequests, webAddress } from '../client/pull-requests.ts'

const pullRequest = z
  .object({
    id: z.int(),
    title: z.string(),
    draft: z.boolean().nullish(),
    links: z.object({ html: z.object({ href: webAddress }) }),
    destination: z.object({ branch: z.object({ name: z.string() }) }),
  })
  .transform(({ id, title, draft, links, destination }) => ({
    number: id,
    url: links.html.href,
    title,
    draft: draft ?? false,
    base: destination.branch.name,
  }))

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/. */
export function bitbucketPullRequests(client: ProviderClient): PullRequests {
  const path = (repository: string) => `/repositories/${bySlash(repository)}/pullrequests`
  return {
    from: async (repository, branch) => {
      const name = branch.replaceAll(/["\\]/g, '\\$&')
      const query = { q: `source.branch.name = "${name}" AND state = "OPEN"`, pagelen: 1 }
      const { data } = await client.json(path(repository), z.object({ values: z.array(pullRequest) }), query)
      return data.values[0] ?? null
    },
    open: (repository, { title, body, head, base, draft }) => {
      const branches = { source: { branch: { name: head } }, destination: { branch: { name: base } } }
      return client.post(path(repository), { title, description: body, draft, ...branches }, pullRequest)
    },
  }
}
