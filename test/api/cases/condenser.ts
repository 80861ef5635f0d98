import { expect } from 'vitest'
import { SUMMARY_SYSTEM_PROMPT } from '../../../server/agent/condenser/prompt.ts'
import type { Turn } from '../../fakes/model-server/turn.ts'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { FINISH } from '../../parts/client/gateway-conversation.ts'
import type { Seen, Statement } from '../../parts/statement.ts'
import { flawsOf, sightOf } from '../../tasks/sight.ts'

const SMALL = { condenser_max_size: 20, enable_default_condenser: true }
const OFF = { enable_default_condenser: false }
const SUMMARY = '## Task\nMind the gap.\n## Done\nMuch was thought.'
const GO_ON = { text: 'Go on.' }

const asksForSummary = ({ body }: ModelRequest) =>
  JSON.stringify(body).includes(JSON.stringify(SUMMARY_SYSTEM_PROMPT.slice(0, 80)).slice(1, -1))
const thought = (index: number) => ({
  name: 'think',
  arguments: { thought: `Thought ${index}: ${'it goes on and on. '.repeat(12)}` },
})

/** So many steps and then the end; `calls` in each step. Summaries are written by `summary`. */
function working(steps: number, { calls = 1, summary = (): Turn => ({ text: SUMMARY }) } = {}) {
  return () => {
    let step = 0
    return (request: ModelRequest): Turn => {
      if (asksForSummary(request)) return summary()
      if (step++ >= steps) return FINISH
      return { toolCalls: Array.from({ length: calls }, (_, index) => thought(step * 10 + index)) }
    }
  }
}

const condensations = ({ events }: Seen) => events.filter(({ kind }) => kind === 'Condensation')
const asked = ({ requests }: Seen) => requests.filter(request => !asksForSummary(request))
const lengths = (seen: Seen) => asked(seen).map(({ body }) => body.messages.length)

/** Section 4.6, the condenser. */
export const CONDENSER_STATEMENTS: readonly Statement[] = [
  {
    says: 'beyond max_size events, earlier ones are summed up; of what is left the model reads half as much',
    settings: SMALL,
    script: working(40),
    shows: seen => {
      expect(condensations(seen).length).toBeGreaterThan(2)
      // With the system prompt, and what one step brings.
      expect(Math.max(...lengths(seen))).toBeLessThanOrEqual(SMALL.condenser_max_size + 3)
      const drops = lengths(seen).filter((length, index, all) => length < (all[index - 1] ?? 0))
      expect(drops).toHaveLength(condensations(seen).length)
      for (const length of drops) expect(length).toBeLessThanOrEqual(SMALL.condenser_max_size / 2 + 3)
    },
  },
  {
    says: 'the first events stay, the task among them',
    settings: SMALL,
    script: working(40),
    shows: seen => {
      const [first] = condensations(seen)
      const begin = seen.events.filter(({ kind }) => kind !== 'ConversationStateUpdateEvent').slice(0, 4)
      for (const { id } of begin) expect(first.forgotten_event_ids).not.toContain(id)
      for (const { body } of asked(seen)) expect(JSON.stringify(body)).toContain('mind the gap')
    },
  },
  {
    says: 'calls stay with their results, in their order',
    settings: SMALL,
    script: working(30),
    shows: seen => {
      for (const request of asked(seen)) expect(flawsOf(sightOf(request))).toEqual([])
    },
  },
  {
    says: 'the calls of one answer are forgotten together or not at all',
    settings: SMALL,
    script: working(14, { calls: 3 }),
    shows: seen => {
      expect(condensations(seen).length).toBeGreaterThan(0)
      const actions = seen.events.filter(({ kind }) => kind === 'ActionEvent')
      for (const { forgotten_event_ids } of condensations(seen)) {
        const forgotten = new Set(forgotten_event_ids)
        for (const answer of new Set(actions.map(({ llm_response_id }) => llm_response_id))) {
          const batch = actions.filter(({ llm_response_id }) => llm_response_id === answer)
          expect(new Set(batch.map(({ id }) => forgotten.has(id))).size).toBe(1)
        }
      }
      for (const request of asked(seen)) expect(flawsOf(sightOf(request))).toEqual([])
    },
  },
  {
    says: 'without a size of its own a conversation is summed up beyond 240 events',
    settings: { condenser_max_size: null, enable_default_condenser: true },
    script: working(130),
    shows: seen => {
      expect(condensations(seen)).toHaveLength(1)
      expect(Math.max(...lengths(seen))).toBeGreaterThan(230)
      expect(Math.max(...lengths(seen))).toBeLessThanOrEqual(243)
    },
  },
  {
    says: 'the summary stands at summary_offset, in the place of what it sums up',
    settings: SMALL,
    script: working(12),
    shows: seen => {
      const [{ summary, summary_offset }] = condensations(seen)
      expect(summary).toContain('Much was thought.')
      const last =
        asked(seen)
          .at(-1)
          ?.body.messages.map((message: unknown) => JSON.stringify(message)) ?? []
      const place = last.findIndex((message: string) => message.includes('Much was thought.'))
      // The system prompt is an event, too, and the first message of the wire.
      expect(place).toBe(summary_offset)
      expect(last[1]).toContain('mind the gap')
    },
  },
  {
    says: 'the model of the summary is counted under a usage id of its own',
    settings: SMALL,
    script: working(30),
    shows: seen => {
      const { condenser, default: agent } = seen.info.stats.usage_to_metrics
      expect(condenser.token_usages).toHaveLength(condensations(seen).length)
      expect(agent.token_usages).toHaveLength(31)
    },
  },
  {
    says: 'a request to condense is a hard need, also where the condenser is off',
    settings: OFF,
    script: working(8),
    does: [{ text: 'Begin, and mind the gap.' }, 'condense', GO_ON],
    shows: seen => {
      expect(condensations(seen)).toHaveLength(1)
      expect(condensations(seen)[0].forgotten_event_ids.length).toBeGreaterThan(4)
    },
  },
  {
    says: 'without a condenser nothing is summed up',
    settings: OFF,
    script: working(40),
    shows: seen => {
      expect(condensations(seen)).toEqual([])
      expect(Math.max(...lengths(seen))).toBeGreaterThan(80)
    },
  },
  {
    says: 'a model that refuses the length is a hard need, and the work goes on',
    settings: OFF,
    script: () => {
      const work = working(12)()
      return request => {
        const isTooLong = !asksForSummary(request) && request.body.messages.length > 16
        return isTooLong ? { fault: 'context-overflow' } : work(request)
      }
    },
    shows: seen => {
      expect(condensations(seen).length).toBeGreaterThan(0)
      expect(seen.info.execution_status).toBe('finished')
    },
  },
  {
    says: 'a summary that is too long to ask for is asked for again with less, five times at most',
    settings: OFF,
    script: working(10, { summary: () => ({ fault: 'context-overflow' }) }),
    does: [{ text: 'Begin, and mind the gap.' }, 'condense', GO_ON],
    shows: seen => {
      expect(seen.requests.filter(asksForSummary)).toHaveLength(6)
      expect(condensations(seen)).toHaveLength(1)
    },
  },
  {
    says: 'a hard need is met in the worst case without a model',
    settings: OFF,
    script: working(10, { summary: () => ({ fault: 'content-policy' }) }),
    does: [{ text: 'Begin, and mind the gap.' }, 'condense', GO_ON],
    shows: seen => {
      const [{ summary, forgotten_event_ids }] = condensations(seen)
      expect(summary).toContain('think')
      expect(forgotten_event_ids.length).toBeGreaterThan(4)
      expect(seen.info.execution_status).toBe('finished')
    },
  },
  {
    says: 'a soft need may wait when the model cannot sum up',
    settings: SMALL,
    script: working(14, { summary: () => ({ fault: 'content-policy' }) }),
    shows: seen => {
      expect(seen.requests.filter(asksForSummary).length).toBeGreaterThan(0)
      expect(condensations(seen)).toEqual([])
      expect(seen.info.execution_status).toBe('finished')
    },
  },
]
