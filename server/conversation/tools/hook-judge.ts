import { totalCost } from '../../agent/limits.ts'
import { runIsolatedAgent } from '../../agent/run-isolated-agent.ts'
import { AppError } from '../../domain/errors.ts'
import type { HookJudge } from '../../knowledge/hook-question.ts'
import { askText } from '../../llm/ask-text.ts'
import type { Complete, Completion } from '../../llm/completion.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import { readOnlyTools } from '../../tools/read-only.ts'
import type { Tool } from '../../tools/tool.ts'

interface Dependencies {
  complete: Complete
  /** Those of the conversation, as they are now. */
  tools: () => readonly Tool[]
  count: (usageId: string, completion: Completion) => void
  now: () => Conversation
}

/** Answers the questions of a repository's hooks by the model of the conversation, which pays for it. */
export function createHookJudge({ complete, tools, count, now }: Dependencies): HookJudge {
  const counted =
    (usageId: string): Complete =>
    async request => {
      const { stats, max_budget_per_task } = now()
      if (max_budget_per_task !== null && totalCost(stats) >= max_budget_per_task) {
        throw new AppError('conflict', 'It was not asked: the budget of the conversation is used up.')
      }
      const completion = await complete(request)
      count(usageId, completion)
      return completion
    }
  return {
    ask: async ({ usageId, ...question }) => (await askText(counted(usageId), question)).text,
    investigate: ({ usageId, system, prompt, tools: named, ...rest }) => {
      const offered = readOnlyTools(tools()).filter(({ name }) => !named || name === 'finish' || named.includes(name))
      const limited = `${system}\n\nYou may look around with your tools first, and have ${rest.maxSteps} answers in all. Give the object as the message of finish.`
      return runIsolatedAgent({ ...rest, system: limited, complete: counted(usageId), tools: offered, task: prompt })
    },
  }
}
