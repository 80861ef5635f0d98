import { describe, expect, it } from 'vitest'
import { runIsolatedAgent } from '../../server/agent/run-isolated-agent.ts'
import type { Complete } from '../../server/llm/completion.ts'
import { createFinish } from '../../server/tools/finish.ts'
import { createThink } from '../../server/tools/think.ts'
import type { Tool } from '../../server/tools/tool.ts'
import { completion, finish, think } from './plain-run.ts'

const { signal } = new AbortController()

function work(answers: Parameters<typeof completion>[1][], options: { maxSteps?: number; signal?: AbortSignal } = {}) {
  const prompts: string[] = []
  const complete: Complete = async ({ system, messages, signal: own }) => {
    own.throwIfAborted()
    prompts.push(JSON.stringify([system, messages]))
    return completion(prompts.length, answers[prompts.length - 1] ?? {})
  }
  const tools = [createThink(), createFinish()] as Tool[]
  const given = { complete, tools, system: 'You look.', task: 'Look at it.', maxSteps: 3, signal, ...options }
  return { said: runIsolatedAgent(given), prompts }
}

describe('work aside', () => {
  it('ends with the last word of the agent, which knows its own steps alone', async () => {
    const { said, prompts } = work([think('hm'), finish])
    expect(await said).toBe('Done.')
    expect(prompts[0]).toMatch(/You look\..*Look at it\./)
    expect(prompts[1]).toContain('hm')
  })

  it('takes words for an end as well', async () => {
    expect(await work([{ text: ' It is fine. ' }]).said).toBe('It is fine.')
  })

  it('that comes to no end within its steps fails', async () => {
    const { said, prompts } = work([think('a'), think('b'), think('c'), finish])
    await expect(said).rejects.toMatchObject({ code: 'llm_failed' })
    expect(prompts).toHaveLength(3)
  })

  it('stops with what it belongs to', async () => {
    const stopped = AbortSignal.abort(new Error('Stopped.'))
    await expect(work([finish], { signal: stopped }).said).rejects.toThrow('Stopped.')
  })
})
