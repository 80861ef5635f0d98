import { z } from 'zod'
import type { PullRequestStatus } from '../../../api/v1/git/pull-request-status.ts'
import { baseOf } from '../../provider.ts'
import { isoDate } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import { type CheckState, inShort, MAX_SHOWN, type ProviderStatus, shortened } from '../client/pull-request-status.ts'
import { webAddress } from '../client/pull-requests.ts'

const user = z.object({ name: z.string() })

const request = z.object({
  id: z.int(),
  title: z.string(),
  draft: z.boolean().nullish(),
  state: z.string(),
  links: z.object({ self: z.tuple([z.object({ href: webAddress })]).rest(z.unknown()) }),
  fromRef: z.object({ displayId: z.string(), latestCommit: z.string() }),
  toRef: z.object({ displayId: z.string() }),
  reviewers: z.array(z.object({ user, status: z.string().nullish() })).nullish(),
})

const mergeability = z.object({ canMerge: z.boolean(), conflicted: z.boolean() })

const buildStatus = z.object({
  key: z.string(),
  name: z.string().nullish(),
  state: z.string(),
  description: z.string().nullish(),
  url: webAddress.nullish().catch(null),
})

const comment = z.object({
  id: z.int(),
  text: z.string(),
  author: user,
  createdDate: z.number().nullish(),
  state: z.string().nullish(),
  threadResolved: z.boolean().nullish(),
  /** Answers, which are of the same form. */
  comments: z.array(z.unknown()).nullish(),
})
type Comment = z.output<typeof comment>

const activity = z.object({
  action: z.string(),
  commentAction: z.string().nullish(),
  comment: comment.nullish(),
  commentAnchor: z
    .object({
      path: z.string().nullish(),
      line: z.int().nullish(),
      fileType: z.string().nullish(),
      orphaned: z.boolean().nullish(),
    })
    .nullish(),
})

/** https://developer.atlassian.com/server/bitbucket/rest/: pull requests, and builds by commit. */
export async function dataCenterStatus(client: ProviderClient, path: string, number: number): Promise<ProviderStatus> {
  const one = `${path}/${number}`
  const page = <T extends z.ZodType>(item: T) => z.object({ values: z.array(item) })
  const all = { limit: MAX_SHOWN }
  const { data } = await client.json(one, request)
  const { latestCommit: sha, displayId: branch } = data.fromRef
  const builds = `${baseOf(client.origin)}/rest/build-status/1.0/commits/${encodeURIComponent(sha)}`
  const isOpen = data.state === 'OPEN'
  const [merge, statuses, activities] = await Promise.all([
    isOpen ? client.json(`${one}/merge`, mergeability) : null,
    client.json(builds, page(buildStatus), all),
    client.json(`${one}/activities`, page(activity), all),
  ])
  return {
    pull_request: {
      number,
      url: data.links.self[0].href,
      title: data.title,
      draft: data.draft ?? false,
      base: data.toRef.displayId,
    },
    state: STATES[data.state] ?? 'CLOSED',
    branch,
    sha,
    merge: merge && mergeOf(merge.data),
    checks: statuses.data.values.map(({ key, name, state, description, url }) => ({
      id: key,
      name: name || key,
      state: CHECKS[state] ?? 'PENDING',
      description: inShort(description),
      url: url ?? null,
    })),
    reviews: (data.reviewers ?? []).flatMap(({ user: { name: author }, status }) => {
      const state = VERDICTS[status ?? '']
      return state ? [{ author, state, text: '', created_at: null }] : []
    }),
    threads: activities.data.values.flatMap(({ commentAction, comment: root, commentAnchor }) =>
      root && commentAction !== 'DELETED'
        ? [
            {
              id: String(root.id),
              path: commentAnchor?.path ?? null,
              start_line: null,
              line: commentAnchor?.line ?? null,
              isOutdated: commentAnchor?.orphaned === true || commentAnchor?.fileType === 'FROM',
              resolved: root.threadResolved ?? root.state === 'RESOLVED',
              comments: flat(root).map(({ author, text, createdDate }) => ({
                author: author.name,
                text: shortened(text),
                created_at: isoDate(createdDate),
              })),
            },
          ]
        : [],
    ),
  }
}

const STATES: Readonly<Record<string, PullRequestStatus['state']>> = { OPEN: 'OPEN', MERGED: 'MERGED' }
const CHECKS: Readonly<Record<string, CheckState>> = { SUCCESSFUL: 'PASSED', FAILED: 'FAILED', CANCELLED: 'SKIPPED' }
const VERDICTS: Readonly<Record<string, 'APPROVED' | 'CHANGES_REQUESTED'>> = {
  APPROVED: 'APPROVED',
  NEEDS_WORK: 'CHANGES_REQUESTED',
}

function mergeOf({ canMerge, conflicted }: z.output<typeof mergeability>): PullRequestStatus['merge'] {
  if (conflicted) return 'CONFLICT'
  return canMerge ? 'READY' : 'BLOCKED'
}

/** A comment with its answers, and theirs. */
function flat(root: Comment): Comment[] {
  const all = [root]
  for (const one of all) {
    for (const answer of one.comments ?? []) {
      if (all.length === MAX_SHOWN) return all
      const read = comment.safeParse(answer)
      if (read.success) all.push(read.data)
    }
  }
  return all
}
