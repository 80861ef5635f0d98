import { z } from 'zod'
import type { mcpToolAction } from '../api/event/actions.ts'
import { OPEN_PULL_REQUEST, PUSH_BRANCH, publishPlan, requestDraft } from '../api/event/publish.ts'
import { AppError } from '../domain/errors.ts'
import { type Tool, text } from './tool.ts'
import type { WorkPublisher } from './work-publisher.ts'

type McpToolAction = z.output<typeof mcpToolAction>

export function isPublishTool({ name }: Pick<Tool, 'name'>): boolean {
  return name === PUSH_BRANCH || name === OPEN_PULL_REQUEST
}

const nothing = z.object({})

const ASKS = `A person is shown what will be sent and has to say yes; you wait for that. Call it alone, and only when the user asks for it. Commit first: what is not committed is not sent. Nothing is ever forced. No token is needed here.`

const LEAVES = 'Sends commits to a server, where others can see them'

/** Called as other programs know calls of tools that are not the agent's own, so that each of them shows what is asked. */
export function createPublishTools(publisher: WorkPublisher): Tool<McpToolAction>[] {
  const shared = { readOnly: false, alwaysAsks: LEAVES, close: async () => {} } as const
  return [
    {
      ...shared,
      name: PUSH_BRANCH,
      description: `Push the branch that is checked out to its repository at GitHub, GitLab or Bitbucket. ${ASKS}`,
      parameters: nothing,
      toAction: () => ({ kind: 'MCPToolAction', data: {} }),
      prepare: async (_action, signal) => {
        const plan = await publisher.plan(signal)
        if (plan.commits === 0) {
          throw new AppError('conflict', `${plan.remote} has all commits of ${plan.branch} already. Commit first.`)
        }
        return { kind: 'MCPToolAction', data: { ...plan } }
      },
      run: async ({ data }, { signal }) => {
        const plan = publishPlan.parse(data)
        await publisher.push(plan, signal)
        return told(PUSH_BRANCH, `Pushed ${plan.branch} at ${plan.commit.slice(0, 12)} to ${plan.url}.`)
      },
    },
    {
      ...shared,
      name: OPEN_PULL_REQUEST,
      description: `Open a pull request (at GitLab: a merge request) for the branch that is checked out. It is pushed first where that is needed. ${ASKS}`,
      parameters: requestDraft,
      toAction: given => ({ kind: 'MCPToolAction', data: requestDraft.parse(given) }),
      prepare: async ({ data }, signal) => ({
        kind: 'MCPToolAction',
        data: { ...data, ...(await publisher.plan(signal)) },
      }),
      run: async ({ data }, { signal }) => {
        const { base = null, ...draft } = requestDraft.parse(data)
        const plan = publishPlan.parse(data)
        if (plan.commits > 0) await publisher.push(plan, signal)
        const { url, number, existing } = await publisher.openRequest(plan, { ...draft, base }, signal)
        const what = existing ? `The branch has request #${number} already, with the new commits` : `Opened #${number}`
        return told(OPEN_PULL_REQUEST, `${what}: ${url}`)
      },
    },
  ]
}

function told(tool_name: string, words: string) {
  return { kind: 'MCPToolObservation' as const, tool_name, content: text(words), is_error: false }
}
