import { z } from 'zod'
import type { SuggestedTask } from '../../../api/v1/git/data.ts'
import type { ProviderClient } from '../client/provider-client.ts'

const inRepository = { number: z.int(), title: z.string(), repository: z.object({ nameWithOwner: z.string() }) }

const pullRequest = z.object({
  ...inRepository,
  mergeable: z.string(),
  commits: z.object({
    nodes: z.array(z.object({ commit: z.object({ statusCheckRollup: z.object({ state: z.string() }).nullish() }) })),
  }),
  reviewThreads: z.object({ nodes: z.array(z.object({ isResolved: z.boolean() })) }),
  reviewDecision: z.string().nullish(),
})

const reply = z.object({
  data: z.object({
    viewer: z.object({ pullRequests: z.object({ nodes: z.array(pullRequest.nullable()) }) }),
    issues: z.object({ nodes: z.array(z.object(inRepository).partial().nullable()) }),
  }),
})

const QUERY = `query {
  viewer {
    pullRequests(first: 50, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC}) {
      nodes {
        number title mergeable reviewDecision
        repository { nameWithOwner }
        commits(last: 1) { nodes { commit { statusCheckRollup { state } } } }
        reviewThreads(first: 50) { nodes { isResolved } }
      }
    }
  }
  issues: search(query: "is:issue is:open assignee:@me archived:false sort:updated-desc", type: ISSUE, first: 50) {
    nodes { ... on Issue { number title repository { nameWithOwner } } }
  }
}`

/** Own open pull requests that need something, the most urgent thing each, then open issues assigned to the user. */
export async function suggestedTasks(client: ProviderClient, graphql: string): Promise<SuggestedTask[]> {
  const { data } = await client.graphql(graphql, QUERY, {}, reply)
  const requests = data.viewer.pullRequests.nodes.flatMap((node): SuggestedTask[] => {
    const task_type = node && needOf(node)
    return task_type ? [toTask(client, node, task_type)] : []
  })
  const issues = data.issues.nodes.flatMap((node): SuggestedTask[] => {
    const issue = z.object(inRepository).safeParse(node)
    return issue.success ? [toTask(client, issue.data, 'OPEN_ISSUE')] : []
  })
  return [...requests, ...issues]
}

type Need = NonNullable<SuggestedTask['task_type']>

function needOf({ mergeable, commits, reviewThreads, reviewDecision }: z.output<typeof pullRequest>): Need | undefined {
  if (mergeable === 'CONFLICTING') return 'MERGE_CONFLICTS'
  const checks = commits.nodes[0]?.commit.statusCheckRollup?.state
  if (checks === 'FAILURE' || checks === 'ERROR') return 'FAILING_CHECKS'
  const open = reviewThreads.nodes.some(({ isResolved }) => !isResolved)
  return open || reviewDecision === 'CHANGES_REQUESTED' ? 'UNRESOLVED_COMMENTS' : undefined
}

function toTask(
  { name }: ProviderClient,
  { number, title, repository }: { number: number; title: string; repository: { nameWithOwner: string } },
  task_type: Need,
): SuggestedTask {
  return { git_provider: name, task_type, repo: repository.nameWithOwner, issue_number: number, title }
}
