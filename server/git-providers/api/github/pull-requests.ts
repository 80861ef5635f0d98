import { z } from 'zod'
import { bySlash } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import { type PullRequests, webAddress } from '../client/pull-requests.ts'

const pullRequest = z
  .object({
    number: z.int(),
    html_url: webAddress,
    title: z.string(),
    draft: z.boolean().nullish(),
    base: z.object({ ref: z.string() }),
  })
  .transform(({ number, html_url, title, draft, base }) => ({
    number,
    url: html_url,
    title,
    draft: draft ?? false,
    base: base.ref,
  }))

/** https://docs.github.com/en/rest/pulls/pulls. */
export function githubPullRequests(client: ProviderClient): PullRequests {
  const path = (repository: string) => `/repos/${bySlash(repository)}/pulls`
  return {
    from: async (repository, branch) => {
      const query = { head: `${repository.split('/')[0]}:${branch}`, state: 'open', per_page: 1 }
      const { data } = await client.json(path(repository), z.array(pullRequest), query)
      return data[0] ?? null
    },
    open: (repository, asked) => client.post(path(repository), asked, pullRequest),
  }
}
