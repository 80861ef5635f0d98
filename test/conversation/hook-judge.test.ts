import { describe, expect, it } from 'vitest'
import { addUsage } from '../../server/agent/limits.ts'
import { createHookJudge } from '../../server/conversation/tools/hook-judge.ts'
import type { Completion } from '../../server/llm/completion.ts'
import { createFinish } from '../../server/tools/finish.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool } from '../../server/tools/tool.ts'
import { completion, finish, think } from '../agent/plain-run.ts'
import { aConversation } from '../parts/service/store.ts'

/** Each answer costs 10 cents. */
function judgeOf(answers: Partial<Completion>[], budget: number | null) {
  let conversation = aConversation({ max_budget_per_task: budget, max_iterations: 1 })
  let asked = 0
  const judge = createHookJudge({
    complete: async () => completion(asked, answers[asked++] ?? {}),
    tools: () => [createThink(), createFinish()] as Tool[],
    count: (usageId, answer) => {
      conversation = { ...conversation, stats: addUsage(conversation.stats, usageId, answer, conversation) }
    },
    now: () => conversation,
  })
  return { judge, asked: () => asked, stats: () => conversation.stats }
}

const question = { usageId: 'prompt-hook:x', system: 's', prompt: 'p', signal: new AbortController().signal }

describe('the judge of hooks', () => {
  it('is paid for by the conversation, for each answer', async () => {
    const { judge, stats } = judgeOf([{ text: 'Yes.' }, think('hm'), finish], null)
    expect(await judge.ask(question)).toBe('Yes.')
    expect(await judge.investigate({ ...question, usageId: 'agent-hook:x', tools: null, maxSteps: 3 })).toBe('Done.')
    const { usage_to_metrics, steps } = stats()
    expect(steps).toBe(0)
    expect(usage_to_metrics['prompt-hook:x']?.accumulated_cost).toBeCloseTo(0.1)
    expect(usage_to_metrics['agent-hook:x']?.accumulated_cost).toBeCloseTo(0.2)
  })

  it('is not asked beyond the budget, also in the middle of a look around', async () => {
    const { judge, asked } = judgeOf([think('a'), think('b'), finish], 0.15)
    const looking = judge.investigate({ ...question, tools: null, maxSteps: 9 })
    await expect(looking).rejects.toThrow('the budget of the conversation is used up')
    expect(asked()).toBe(2)
    await expect(judge.ask(question)).rejects.toThrow('budget')
  })
})
