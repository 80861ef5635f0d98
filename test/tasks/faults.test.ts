import { expect } from 'vitest'
import { it as base } from '../fixtures/base.ts'
import {
  expectSound,
  finish,
  inside,
  type Mind,
  must,
  openWorkshop,
  run,
  type Speaker,
  TASK_MS,
  type Task,
} from './parts.ts'

const it = base.extend('workshop', { scope: 'file' }, async ({}, { onCleanup }) => {
  const workshop = await openWorkshop({}, () => ({ text: '## Task\nCount.' }))
  onCleanup(() => workshop.close())
  return workshop
})

const count = (n: number) => run(`echo ${n} >> count.txt`)
const SPEAKERS: Speaker[] = ['openai', 'responses', 'anthropic', 'gemini', 'without-tools']

/** Between two steps something goes wrong each time; what was begun and not finished must not be done. */
const mind: Mind = function* ({ request: { model } }) {
  yield run('seq 1 1200')
  yield { fault: 'rate-limit', retryAfter: 1 }
  yield count(1)
  yield { fault: 'server-error', retryAfter: 0 }
  yield count(2)
  yield { fault: 'half-closed', ...run('echo half >> count.txt') }
  const counted = yield count(3)
  must(!counted.result.includes('half'), counted.result)
  // Gemini's wire carries nothing but objects, and what is written out has names for its parts.
  const broken = /gemini|codellama/.test(model) ? { path: 'count.txt' } : '{"command": "echo broken >> count.txt'
  const told = yield { toolCalls: [{ name: 'terminal', arguments: broken }] }
  must(/^Error|valid|could not/i.test(told.result), told.result)
  yield count(4)
  yield { fault: 'context-overflow' }
  const shorter = yield count(5)
  must(!shorter.said.some(one => one.kind === 'result' && one.text.includes('\n700\n')), 'Nothing was left out.')
  yield { fault: 'error-frame', ...run('echo frame >> count.txt') }
  const all = yield run('cat count.txt')
  must(all.result.startsWith('1\n2\n3\n4\n5\n['), all.result)
  return finish('Counted.')
}

it(
  'a task survives a limit, an outage, broken streams, broken arguments and a full window, with every provider',
  async ({ workshop }) => {
    const begin = (speaker: Speaker) => workshop.begin(speaker, `Count to five with ${speaker}.`, mind)
    const tasks: Task[] = []
    for (const speaker of SPEAKERS) tasks.push(await begin(speaker))
    await Promise.all(tasks.map(task => task.finished()))

    for (const task of tasks) {
      expectSound(task)
      expect((await inside(task.sandboxId, 'cat count.txt')).out).toBe('1\n2\n3\n4\n5\n')
      const retries = task.seen.of('ConversationStateUpdateEvent').filter(({ key }) => key === 'llm_retry')
      expect(retries.map(({ value }) => value)).toMatchObject([
        { attempt: 1, delay_ms: 1000 },
        { attempt: 1, delay_ms: 0 },
        { attempt: 1 },
        { attempt: 1 },
      ])
      expect(task.seen.of('AgentErrorEvent')).toHaveLength(1)
      expect(task.seen.of('Condensation')).toHaveLength(1)
      expect(task.summaries).toHaveLength(1)
    }
  },
  TASK_MS,
)
