import { z } from 'zod'
import type { PullRequestStatus } from '../../../api/v1/git/pull-request-status.ts'
import { AppError } from '../../../domain/errors.ts'
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

const user = z.object({ username: z.string() })

const request = z.object({
  iid: z.int(),
  web_url: webAddress,
  title: z.string(),
  draft: z.boolean().nullish(),
  state: z.string(),
  sha: z.string().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  has_conflicts: z.boolean().nullish(),
  detailed_merge_status: z.string().nullish(),
})

const commitStatus = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  description: z.string().nullish(),
  target_url: webAddress.nullish().catch(null),
})

const note = z.object({
  body: z.string(),
  author: user,
  created_at: z.string().nullish(),
  system: z.boolean().nullish(),
  resolvable: z.boolean().nullish(),
  resolved: z.boolean().nullish(),
  position: z
    .object({ head_sha: z.string().nullish(), new_path: z.string().nullish(), new_line: z.int().nullish() })
    .nullish(),
})

const discussion = z.object({ id: z.string(), notes: z.array(note) })
const approvals = z.object({ approved_by: z.array(z.object({ user })).nullish() })
const reviewer = z.object({ user, state: z.string().nullish() })

/** https://docs.gitlab.com/api/merge_requests/, /commits/, /discussions/ and /merge_request_approvals/. */
export async function gitlabStatus(client: ProviderClient, path: string, number: number): Promise<ProviderStatus> {
  const one = `${path}/merge_requests/${number}`
  const { data } = await client.json(one, request)
  const sha = data.sha ?? ''
  const all = { per_page: MAX_SHOWN }
  const [statuses, discussions, approved, reviewers] = await Promise.all([
    sha === '' ? [] : orNone(client.json(`${path}/repository/commits/${sha}/statuses`, z.array(commitStatus), all), []),
    orNone(client.json(`${one}/discussions`, z.array(discussion), all), []),
    orNone(client.json(`${one}/approvals`, approvals), { approved_by: [] }),
    orNone(client.json(`${one}/reviewers`, z.array(reviewer)), []),
  ])
  const unhappy = reviewers.filter(({ state }) => state === 'requested_changes')
  const word = (author: string, state: 'APPROVED' | 'CHANGES_REQUESTED') => ({
    author,
    state,
    text: '',
    created_at: null,
  })
  return {
    pull_request: {
      number,
      url: data.web_url,
      title: data.title,
      draft: data.draft ?? false,
      base: data.target_branch,
    },
    state: STATES[data.state] ?? 'OPEN',
    branch: data.source_branch,
    sha,
    merge: mergeOf(data),
    checks: statuses.map(toCheck),
    reviews: [
      ...unhappy.map(one => word(one.user.username, 'CHANGES_REQUESTED')),
      ...(approved.approved_by ?? []).map(one => word(one.user.username, 'APPROVED')),
    ],
    threads: discussions.flatMap(one => toThread(one, sha)),
  }
}

/** Of a job; null for the checks of others, which are statuses alone. */
export async function gitlabCheckLog(client: ProviderClient, path: string, id: string): Promise<string | null> {
  const log = await client.tail(`${path}/jobs/${encodeURIComponent(id)}/trace`)
  // Sections are marked by lines of their own.
  return log?.replace(/section_(?:start|end):\d+:[^\r\n]*\r/g, '') ?? null
}

/** An edition without a part, or a token that does not see it, leaves the part empty. */
async function orNone<T>(answer: Promise<{ data: T }>, none: T): Promise<T> {
  try {
    return (await answer).data
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'provider_refused'].includes(error.code)) return none
    throw error
  }
}

const STATES: Readonly<Record<string, PullRequestStatus['state']>> = { merged: 'MERGED', closed: 'CLOSED' }

const MERGE: Readonly<Record<string, PullRequestStatus['merge']>> = {
  mergeable: 'READY',
  can_be_merged: 'READY',
  conflict: 'CONFLICT',
  need_rebase: 'BEHIND',
  checking: 'CHECKING',
  unchecked: 'CHECKING',
  preparing: 'CHECKING',
  approvals_syncing: 'CHECKING',
}

function mergeOf({
  has_conflicts,
  detailed_merge_status: status,
}: z.output<typeof request>): PullRequestStatus['merge'] {
  if (has_conflicts) return 'CONFLICT'
  return status ? (MERGE[status] ?? 'BLOCKED') : null
}

const CHECKS: Readonly<Record<string, CheckState>> = {
  success: 'PASSED',
  failed: 'FAILED',
  canceled: 'SKIPPED',
  skipped: 'SKIPPED',
  manual: 'SKIPPED',
}

function toCheck({ id, name, status, allow_failure, description, target_url }: z.output<typeof commitStatus>) {
  const state = CHECKS[status] ?? 'PENDING'
  return {
    id: String(id),
    name,
    state: state === 'FAILED' && allow_failure ? ('SKIPPED' as const) : state,
    description: inShort(description),
    url: target_url ?? null,
  }
}

/** What GitLab itself notes in between is left out. */
function toThread({ id, notes }: z.output<typeof discussion>, sha: string): ProviderThread[] {
  const said = notes.filter(({ system }) => !system)
  const [first] = said
  if (!first) return []
  const open = said.filter(({ resolvable }) => resolvable)
  return [
    {
      id,
      path: first.position?.new_path ?? null,
      start_line: null,
      line: first.position?.new_line ?? null,
      isOutdated: first.position?.head_sha !== sha,
      resolved: open.length > 0 && open.every(({ resolved }) => resolved),
      comments: said.map(({ author, body, created_at }) => ({
        author: author.username,
        text: shortened(body),
        created_at: isoDate(created_at),
      })),
    },
  ]
}
