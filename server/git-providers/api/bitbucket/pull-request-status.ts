import { z } from 'zod'
import type { PullRequestStatus } from '../../../api/v1/git/pull-request-status.ts'
import { isoDate } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import {
  type CheckState,
  inShort,
  MAX_SHOWN,
  type ProviderStatus,
  type ProviderThread,
  shortened,
} from '../client/pull-request-status.ts'
import { webAddress } from '../client/pull-requests.ts'

const user = z.object({ display_name: z.string().nullish(), nickname: z.string().nullish() }).nullish()

const request = z.object({
  id: z.int(),
  title: z.string(),
  draft: z.boolean().nullish(),
  state: z.string(),
  links: z.object({ html: z.object({ href: webAddress }) }),
  source: z.object({ branch: z.object({ name: z.string() }), commit: z.object({ hash: z.string() }).nullish() }),
  destination: z.object({ branch: z.object({ name: z.string() }) }),
  participants: z
    .array(
      z.object({
        user,
        approved: z.boolean().nullish(),
        state: z.string().nullish(),
        participated_on: z.string().nullish(),
      }),
    )
    .nullish(),
})

const buildStatus = z.object({
  key: z.string(),
  name: z.string().nullish(),
  state: z.string(),
  description: z.string().nullish(),
  url: webAddress.nullish().catch(null),
})

const comment = z.object({
  id: z.int(),
  content: z.object({ raw: z.string().nullish() }),
  user,
  created_on: z.string().nullish(),
  deleted: z.boolean().nullish(),
  inline: z
    .object({
      path: z.string(),
      start_to: z.int().nullish(),
      to: z.int().nullish(),
      outdated: z.boolean().nullish(),
    })
    .nullish(),
  parent: z.object({ id: z.int() }).nullish(),
  resolution: z.unknown().optional(),
})
type Comment = z.output<typeof comment>

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/; it does not say whether there are conflicts. */
export async function bitbucketStatus(client: ProviderClient, path: string, number: number): Promise<ProviderStatus> {
  const one = `${path}/${number}`
  const page = <T extends z.ZodType>(item: T) => z.object({ values: z.array(item) })
  const all = { pagelen: MAX_SHOWN }
  const [{ data }, statuses, comments] = await Promise.all([
    client.json(one, request),
    client.json(`${one}/statuses`, page(buildStatus), all),
    client.json(`${one}/comments`, page(comment), all),
  ])
  return {
    pull_request: {
      number,
      url: data.links.html.href,
      title: data.title,
      draft: data.draft ?? false,
      base: data.destination.branch.name,
    },
    state: STATES[data.state] ?? 'CLOSED',
    branch: data.source.branch.name,
    sha: data.source.commit?.hash ?? '',
    merge: null,
    checks: statuses.data.values.map(({ key, name, state, description, url }) => ({
      id: key,
      name: name || key,
      state: CHECKS[state] ?? 'PENDING',
      description: inShort(description),
      url: url ?? null,
    })),
    reviews: (data.participants ?? []).flatMap(one => {
      const state = one.state === 'changes_requested' ? 'CHANGES_REQUESTED' : one.approved ? 'APPROVED' : null
      return state
        ? [{ author: nameOf(one.user), state, text: '', created_at: isoDate(one.participated_on) } as const]
        : []
    }),
    threads: threadsOf(comments.data.values),
  }
}

const STATES: Readonly<Record<string, PullRequestStatus['state']>> = { OPEN: 'OPEN', MERGED: 'MERGED' }
const CHECKS: Readonly<Record<string, CheckState>> = { SUCCESSFUL: 'PASSED', FAILED: 'FAILED', STOPPED: 'SKIPPED' }

function nameOf(who: z.output<typeof user>): string {
  return who?.nickname ?? who?.display_name ?? 'unknown'
}

/** An answer names the comment that it answers, which may be an answer itself. */
function threadsOf(comments: readonly Comment[]): ProviderThread[] {
  const byId = new Map(comments.map(one => [one.id, one]))
  const rootOf = (one: Comment) => {
    let root = one
    for (let depth = 0; depth < comments.length; depth++) {
      const parent = root.parent && byId.get(root.parent.id)
      if (!parent) break
      root = parent
    }
    return root
  }
  const threads = new Map<Comment, Comment[]>()
  for (const one of comments) threads.set(rootOf(one), [...(threads.get(rootOf(one)) ?? []), one])
  return [...threads].flatMap(([root, said]) => {
    const kept = said.filter(({ deleted }) => !deleted)
    if (kept.length === 0) return []
    return [
      {
        id: String(root.id),
        path: root.inline?.path ?? null,
        start_line: root.inline?.start_to ?? null,
        line: root.inline?.to ?? null,
        isOutdated: root.inline?.outdated ?? false,
        resolved: root.resolution != null,
        comments: kept.map(({ user: who, content, created_on }) => ({
          author: nameOf(who),
          text: shortened(content.raw),
          created_at: isoDate(created_on),
        })),
      },
    ]
  })
}
