import { z } from 'zod'
import { type Action, taskAction } from '../api/event/actions.ts'
import type { SubAgents } from './sub-agents.ts'
import { type Tool, text } from './tool.ts'

type TaskAction = Extract<Action, { kind: 'TaskAction' }>

const GENERAL = 'general-purpose'

const parameters = z.object({
  prompt: z
    .string()
    .describe(
      'The whole task. The sub-agent sees none of this conversation: name files, facts, limits and what to report.',
    ),
  description: z.string().optional().describe('The task in a few words, for the person who watches.'),
  subagent_type: z.string().default(GENERAL).describe('What kind of sub-agent, by its name.'),
  resume: z.string().optional().describe('The task_id of an earlier task, to go on with it.'),
})

export const TASK = 'task'

export function createTask(subAgents: SubAgents): Tool<TaskAction> {
  return {
    name: TASK,
    description: `Hand a piece of work to a sub-agent with the same tools, the same sandbox and a context of its own, and wait for its report.
Use it for work that would fill this conversation with details that you do not need afterwards: looking through many files, a self-contained change, a long search for a cause. Its steps cost as yours do. With subagent_type, choose one that its description fits.`,
    parameters,
    readOnly: false,
    toAction: given => {
      const { subagent_type, ...rest } = parameters.parse(given)
      return taskAction.parse({ kind: 'TaskAction', ...rest, subagent_type: resolveKind(subagent_type) })
    },
    run: async (action, { signal }) => {
      const base = { kind: 'TaskObservation' as const, subagent: action.subagent_type }
      const names = subAgents.kinds().map(({ name }) => name)
      if (!action.resume && !names.includes(action.subagent_type)) {
        const content = text(`There is no sub-agent "${action.subagent_type}". Available: ${names.join(', ')}.`)
        return { ...base, content, is_error: true, task_id: '', status: 'failed' }
      }
      const { taskId, status, report } = await subAgents.run(action, signal)
      const content = text(`${report}\n\n[task_id: ${taskId}]`)
      return { ...base, content, is_error: status !== 'completed', task_id: taskId, status }
    },
    close: async () => {},
  }
}

/** Names are in small letters; other programs call the one for any work so. */
function resolveKind(name: string): string {
  const plain = name.trim().toLowerCase()
  return plain === '' || plain === 'default' ? GENERAL : plain
}

/** With the kinds that there are now, whose descriptions are their files' words. */
export function withKinds(task: Tool, kinds: ReturnType<SubAgents['kinds']>): Tool {
  const lines = kinds.map(({ name, description }) => `* ${name}: ${description}`)
  return { ...task, description: `${task.description}\n\nSub-agents:\n${lines.join('\n')}` }
}
