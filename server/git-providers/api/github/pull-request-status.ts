import { z } from 'zod'
import type { PullRequestCheck, PullRequestStatus } from '../../../api/v1/git/pull-request-status.ts'
import { AppError } from '../../../domain/errors.ts'
import { bySlash } from '../client/forge.ts'
import type { ProviderClient } from '../client/provider-client.ts'
import { type CheckState, inShort, MAX_SHOWN, type ProviderStatus, shortened } from '../client/pull-request-status.ts'
import { webAddress } from '../client/pull-requests.ts'

const actor = z.object({ login: z.string() }).nullish()
const comment = z.object({ author: actor, body: z.string(), createdAt: z.string() })
const link = webAddress.nullish().catch(null)

const checkRun = z.object({
  __typename: z.literal('CheckRun'),
  databaseId: z.int().nullish(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  detailsUrl: link,
  title: z.string().nullish(),
})
const statusContext = z.object({
  __typename: z.literal('StatusContext'),
  id: z.string(),
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  targetUrl: link,
})

const reply = z.object({
  data: z.object({
    repository: z
      .object({
        pullRequest: z
          .object({
            number: z.int(),
            url: webAddress,
            title: z.string(),
            isDraft: z.boolean(),
            state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
            mergeable: z.string(),
            mergeStateStatus: z.string(),
            baseRefName: z.string(),
            headRefName: z.string(),
            headRefOid: z.string(),
            latestReviews: z.object({
              nodes: z.array(comment.extend({ state: z.string() })),
            }),
            comments: z.object({ nodes: z.array(comment.extend({ id: z.string() })) }),
            reviewThreads: z.object({
              nodes: z.array(
                z.object({
                  id: z.string(),
                  isResolved: z.boolean(),
                  path: z.string(),
                  startLine: z.int().nullish(),
                  diffSide: z.string().nullish(),
                  isOutdated: z.boolean(),
                  line: z.int().nullish(),
                  comments: z.object({ nodes: z.array(comment) }),
                }),
              ),
            }),
            commits: z.object({
              nodes: z.array(
                z.object({
                  commit: z.object({
                    statusCheckRollup: z
                      .object({
                        contexts: z.object({
                          nodes: z.array(z.discriminatedUnion('__typename', [checkRun, statusContext])),
                        }),
                      })
                      .nullish(),
                  }),
                }),
              ),
            }),
          })
          .nullish(),
      })
      .nullish(),
  }),
})

const STATUS_QUERY = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      number url title isDraft state mergeable mergeStateStatus baseRefName headRefName headRefOid
      latestReviews(first: 50) { nodes { author { login } state body createdAt } }
      comments(last: 50) { nodes { id author { login } body createdAt } }
      reviewThreads(last: ${MAX_SHOWN}) {
        nodes { id isResolved path startLine line diffSide isOutdated comments(first: 30) { nodes { author { login } body createdAt } } }
      }
      commits(last: 1) {
        nodes {
          commit {
            statusCheckRollup {
              contexts(first: ${MAX_SHOWN}) {
                nodes {
                  __typename
                  ... on CheckRun { databaseId name status conclusion detailsUrl title }
                  ... on StatusContext { id context state description targetUrl }
                }
              }
            }
          }
        }
      }
    }
  }
}`

/** One answer with everything; REST does not say which threads are resolved. @throws AppError not_found */
export async function githubStatus(
  client: ProviderClient,
  graphql: string,
  { repository, number }: { repository: string; number: number },
): Promise<ProviderStatus> {
  const [owner = '', name = ''] = repository.split('/')
  const { data } = await client.graphql(graphql, STATUS_QUERY, { owner, name, number }, reply)
  const found = data.repository?.pullRequest
  if (!found) throw new AppError('not_found', `${repository} has no pull request #${number}.`)
  const { url, title, isDraft: draft, state, baseRefName: base, headRefName: branch, headRefOid: sha } = found
  const inThreads = found.reviewThreads.nodes.map(
    ({ id, isResolved, path, startLine, line, diffSide, isOutdated, comments }) => ({
      id,
      path,
      start_line: startLine ?? null,
      line: line ?? null,
      resolved: isResolved,
      isOutdated: isOutdated || diffSide === 'LEFT',
      comments: comments.nodes.map(toComment),
    }),
  )
  const alone = found.comments.nodes.map(({ id, ...said }) => ({
    id,
    path: null,
    start_line: null,
    line: null,
    resolved: false,
    isOutdated: false,
    comments: [toComment(said)],
  }))
  return {
    pull_request: { number, url, title, draft, base },
    state,
    branch,
    sha,
    merge: mergeOf(found),
    checks: found.commits.nodes.flatMap(node => node.commit.statusCheckRollup?.contexts.nodes.map(toCheck) ?? []),
    reviews: found.latestReviews.nodes.flatMap(({ state: verdict, ...said }) => {
      const known = VERDICTS[verdict]
      return known ? [{ ...toComment(said), state: known }] : []
    }),
    threads: [...inThreads, ...alone].slice(0, MAX_SHOWN),
  }
}

/** Of a job of GitHub Actions, whose id is that of its check; null for the checks of others. */
export async function githubCheckLog(client: ProviderClient, repository: string, id: string): Promise<string | null> {
  if (!/^\d+$/.test(id)) return null
  const log = await client.tail(`/repos/${bySlash(repository)}/actions/jobs/${id}/logs`)
  // Each line begins with the time.
  return log?.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '') ?? null
}

const VERDICTS: Readonly<Record<string, 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED'>> = {
  APPROVED: 'APPROVED',
  CHANGES_REQUESTED: 'CHANGES_REQUESTED',
  COMMENTED: 'COMMENTED',
}

function mergeOf(found: { mergeable: string; mergeStateStatus: string }): PullRequestStatus['merge'] {
  if (found.mergeable === 'CONFLICTING') return 'CONFLICT'
  if (found.mergeable === 'UNKNOWN') return 'CHECKING'
  if (found.mergeStateStatus === 'BEHIND') return 'BEHIND'
  return ['BLOCKED', 'DRAFT'].includes(found.mergeStateStatus) ? 'BLOCKED' : 'READY'
}

function toComment({ author, body, createdAt }: z.output<typeof comment>) {
  return { author: author?.login ?? 'ghost', text: shortened(body), created_at: createdAt }
}

const CONCLUSIONS: Readonly<Record<string, CheckState>> = {
  SUCCESS: 'PASSED',
  FAILURE: 'FAILED',
  TIMED_OUT: 'FAILED',
  STARTUP_FAILURE: 'FAILED',
  ACTION_REQUIRED: 'FAILED',
}

const STATES: Readonly<Record<string, CheckState>> = { SUCCESS: 'PASSED', FAILURE: 'FAILED', ERROR: 'FAILED' }

function toCheck(node: z.output<typeof checkRun> | z.output<typeof statusContext>): PullRequestCheck {
  if (node.__typename === 'StatusContext') {
    const { id, context: name, state, description, targetUrl } = node
    return {
      id,
      name,
      state: STATES[state] ?? 'PENDING',
      description: inShort(description),
      url: targetUrl ?? null,
    }
  }
  const { databaseId, name, status, conclusion, detailsUrl, title } = node
  return {
    id: String(databaseId ?? name),
    name,
    state: status === 'COMPLETED' ? (CONCLUSIONS[conclusion ?? ''] ?? 'SKIPPED') : 'PENDING',
    description: inShort(title),
    url: detailsUrl ?? null,
  }
}
