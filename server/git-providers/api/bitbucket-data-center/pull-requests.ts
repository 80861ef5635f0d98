import { z } from 'zod'
import type { ProviderClient } from '../client/provider-client.ts'
import { MAX_LISTED, ownIn, type PullRequests, webAddress, withoutOrigin } from '../client/pull-requests.ts'
import { pathOf } from './path.ts'
import { dataCenterStatus } from './pull-request-status.ts'

const repository = z.object({ id: z.int() })

const pullRequest = z
  .object({
    id: z.int(),
    title: z.string(),
    draft: z.boolean().nullish(),
    links: z.object({ self: z.tuple([z.object({ href: webAddress })]).rest(z.unknown()) }),
    fromRef: z.object({ repository }),
    toRef: z.object({ displayId: z.string(), repository }),
  })
  .transform(({ id, title, draft, links, fromRef, toRef }) => ({
    number: id,
    url: links.self[0].href,
    title,
    draft: draft ?? false,
    base: toRef.displayId,
    isOwn: fromRef.repository.id === toRef.repository.id,
  }))

/** https://developer.atlassian.com/server/bitbucket/rest/. Drafts are there since version 8.18; earlier ones leave the flag unread. */
export function bitbucketDataCenterPullRequests(client: ProviderClient): PullRequests {
  const path = (repository: string) => `${pathOf(repository)}/pull-requests`
  return {
    from: async (repository, branch) => {
      const query = { at: `refs/heads/${branch}`, direction: 'OUTGOING', state: 'OPEN', limit: MAX_LISTED }
      const { data } = await client.json(path(repository), z.object({ values: z.array(pullRequest) }), query)
      return ownIn(data.values)
    },
    open: async (repository, { title, body, head, base, draft }) => {
      const refs = { fromRef: { id: `refs/heads/${head}` }, toRef: { id: `refs/heads/${base}` } }
      const asked = { title, description: body, draft, ...refs }
      return withoutOrigin(await client.post(path(repository), asked, pullRequest))
    },
    askReview: async ({ repository, number }, names) => {
      for (const name of names) {
        const asked = { user: { name }, role: 'REVIEWER' }
        await client.change('POST', `${path(repository)}/${number}/participants`, asked)
      }
    },
    status: (repository, number) => dataCenterStatus(client, path(repository), number),
    answer: ({ repository, number, id }, text) =>
      client.change('POST', `${path(repository)}/${number}/comments`, { text, parent: { id: Number(id) } }),
    resolve: async ({ repository, number, id }, resolved) => {
      const comment = `${path(repository)}/${number}/comments/${encodeURIComponent(id)}`
      // A change names the version that it is of.
      const { version } = (await client.json(comment, z.object({ version: z.int() }))).data
      await client.change('PUT', comment, { version, threadResolved: resolved })
    },
    // A build says where a person reads its log, and no more.
    checkLog: async () => null,
  }
}
