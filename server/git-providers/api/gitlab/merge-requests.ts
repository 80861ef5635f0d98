import { z } from 'zod'
import type { ProviderClient } from '../client/provider-client.ts'
import {
  MAX_LISTED,
  ownIn,
  type PullRequests,
  unknownReviewers,
  webAddress,
  withoutOrigin,
} from '../client/pull-requests.ts'
import { gitlabCheckLog, gitlabStatus } from './merge-request-status.ts'

const mergeRequest = z
  .object({
    iid: z.int(),
    web_url: webAddress,
    title: z.string(),
    draft: z.boolean().nullish(),
    target_branch: z.string(),
    source_project_id: z.int().nullable(),
    target_project_id: z.int(),
  })
  .transform(({ iid, web_url, title, draft, ...from }) => ({
    number: iid,
    url: web_url,
    title,
    draft: draft ?? false,
    base: from.target_branch,
    isOwn: from.source_project_id === from.target_project_id,
  }))

const user = z.object({ id: z.int() })

/** https://docs.gitlab.com/api/merge_requests/. A draft is one whose title begins with the word. */
export function gitlabMergeRequests(client: ProviderClient): PullRequests {
  const project = (repository: string) => `/projects/${encodeURIComponent(repository)}`
  const path = (repository: string) => `${project(repository)}/merge_requests`
  return {
    from: async (repository, branch) => {
      const query = { source_branch: branch, state: 'opened', per_page: MAX_LISTED }
      const { data } = await client.json(path(repository), z.array(mergeRequest), query)
      return ownIn(data)
    },
    open: async (repository, { title, body, head, base, draft }) => {
      const titled = draft && !/^draft:/i.test(title) ? `Draft: ${title}` : title
      const asked = { title: titled, description: body, source_branch: head, target_branch: base }
      return withoutOrigin(await client.post(path(repository), asked, mergeRequest))
    },
    askReview: async ({ repository, number }, names) => {
      const found = await Promise.all(
        names.map(async username => (await client.json('/users', z.array(user), { username })).data[0]?.id),
      )
      const unknown = names.filter((_, index) => found[index] === undefined)
      if (unknown.length > 0) throw unknownReviewers(client.origin.host, unknown)
      await client.change('PUT', `${path(repository)}/${number}`, { reviewer_ids: found })
    },
    status: (repository, number) => gitlabStatus(client, project(repository), number),
    answer: ({ repository, number, id }, text) =>
      client.change('POST', `${path(repository)}/${number}/discussions/${encodeURIComponent(id)}/notes`, {
        body: text,
      }),
    resolve: ({ repository, number, id }, resolved) =>
      client.change('PUT', `${path(repository)}/${number}/discussions/${encodeURIComponent(id)}`, { resolved }),
    checkLog: (repository, id) => gitlabCheckLog(client, project(repository), id),
  }
}
