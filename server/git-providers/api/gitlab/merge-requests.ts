import { z } from 'zod'
import type { ProviderClient } from '../client/provider-client.ts'
import { type PullRequests, webAddress } from '../client/pull-requests.ts'

const mergeRequest = z
  .object({
    iid: z.int(),
    web_url: webAddress,
    title: z.string(),
    draft: z.boolean().nullish(),
    target_branch: z.string(),
  })
  .transform(({ iid, web_url, title, draft, target_branch }) => ({
    number: iid,
    url: web_url,
    title,
    draft: draft ?? false,
    base: target_branch,
  }))

/** https://docs.gitlab.com/api/merge_requests/. A draft is one whose title begins with the word. */
export function gitlabMergeRequests(client: ProviderClient): PullRequests {
  const path = (repository: string) => `/projects/${encodeURIComponent(repository)}/merge_requests`
  return {
    from: async (repository, branch) => {
      const query = { source_branch: branch, state: 'opened', per_page: 1 }
      const { data } = await client.json(path(repository), z.array(mergeRequest), query)
      return data[0] ?? null
    },
    open: (repository, { title, body, head, base, draft }) => {
      const titled = draft && !/^draft:/i.test(title) ? `Draft: ${title}` : title
      const asked = { title: titled, description: body, source_branch: head, target_branch: base }
      return client.post(path(repository), asked, mergeRequest)
    },
  }
}
