import { z } from 'zod'
import type { SuggestedTask } from '../../../api/v1/git/data.ts'
import { baseOf } from '../../provider.ts'
import type { ProviderClient } from '../client/provider-client.ts'

const mergeRequest = z.object({
  iid: z.coerce.number().int(),
  title: z.string(),
  conflicts: z.boolean().nullish(),
  project: z.object({ fullPath: z.string() }),
  headPipeline: z.object({ status: z.string() }).nullish(),
  resolvableDiscussionsCount: z.int().nullish(),
  resolvedDiscussionsCount: z.int().nullish(),
})

const reply = z.object({
  data: z.object({
    currentUser: z.object({ authoredMergeRequests: z.object({ nodes: z.array(mergeRequest.nullable()) }) }),
  }),
})

const QUERY = `query {
  currentUser {
    authoredMergeRequests(state: opened, sort: UPDATED_DESC, first: 50) {
      nodes {
        iid title conflicts
        project { fullPath }
        headPipeline { status }
        resolvableDiscussionsCount resolvedDiscussionsCount
      }
    }
  }
}`

const issue = z.object({ iid: z.int(), title: z.string(), references: z.object({ full: z.string() }) })

/** Own open merge requests that need something, the most urgent thing each, then open issues assigned to the user. */
export async function suggestedTasks(client: ProviderClient): Promise<SuggestedTask[]> {
  const query = { scope: 'assigned_to_me', state: 'opened', order_by: 'updated_at', per_page: 50 }
  const [{ data }, issues] = await Promise.all([
    client.graphql(`${baseOf(client.origin)}/api/graphql`, QUERY, {}, reply),
    client.json('/issues', z.array(issue), query),
  ])
  const requests = data.currentUser.authoredMergeRequests.nodes.flatMap((node): SuggestedTask[] => {
    const task_type = node && needOf(node)
    if (!task_type) return []
    const { project, iid, title } = node
    return [{ git_provider: client.name, task_type, repo: project.fullPath, issue_number: iid, title }]
  })
  return [
    ...requests,
    ...issues.data.map(
      ({ iid, title, references }): SuggestedTask => ({
        git_provider: client.name,
        task_type: 'OPEN_ISSUE',
        repo: references.full.replace(/#\d+$/, ''),
        issue_number: iid,
        title,
      }),
    ),
  ]
}

function needOf(request: z.output<typeof mergeRequest>): SuggestedTask['task_type'] {
  if (request.conflicts) return 'MERGE_CONFLICTS'
  if (request.headPipeline?.status === 'FAILED') return 'FAILING_CHECKS'
  const open = (request.resolvableDiscussionsCount ?? 0) > (request.resolvedDiscussionsCount ?? 0)
  return open ? 'UNRESOLVED_COMMENTS' : null
}
