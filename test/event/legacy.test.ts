import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTrajectory } from '../../server/agent/trajectory.ts'
import { type Event, event } from '../../server/api/event/events.ts'
import { type LegacyEvent, legacyEvent } from '../../server/api/legacy/events.ts'
import { isNull, LegacyView } from '../../server/legacy/event/convert.ts'

const TIME = '2026-01-02T03:04:05.678Z'
const word = fc.string({ unit: 'grapheme', maxLength: 12 })

type Draft = Record<string, unknown>

const call = fc.oneof(
  word.map(command => ({ kind: 'TerminalAction', command, is_input: false, reset: false })),
  word.map(path => ({ kind: 'FileEditorAction', command: 'view', path: `/${path}` })),
  fc.tuple(word, word).map(([path, file_text]) => ({ kind: 'FileEditorAction', command: 'create', path, file_text })),
  word.map(thought => ({ kind: 'ThinkAction', thought })),
  word.map(message => ({ kind: 'FinishAction', message })),
  fc.constant(null),
)

/** An answer of the model: its calls, the figures after them, and one result for each. */
const answer = fc
  .tuple(word, fc.array(call, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([thought, calls, fails]) => ({
    type: 'answer' as const,
    thought,
    calls,
    fails,
  }))
const said = fc
  .tuple(fc.constantFrom('user', 'agent'), word)
  .map(([source, text]) => ({ type: 'said' as const, source, text }))
const state = fc
  .constantFrom('idle', 'running', 'paused', 'finished', 'error', 'stuck')
  .map(status => ({ type: 'state' as const, status }))

const story = fc.array(fc.oneof(answer, said, state), { maxLength: 12 }).map(parts => {
  const drafts: Draft[] = [message('user', 'Do it.')]
  for (const [index, part] of parts.entries()) {
    if (part.type === 'said') drafts.push(message(part.source, part.text))
    else if (part.type === 'state') drafts.push(update('execution_status', part.status))
    else drafts.push(...answered(part, index))
  }
  return drafts.map((draft, seq): Event => event.parse({ id: `e${seq}`, ...draft, seq, timestamp: TIME }))
})

function message(source: string, text: string): Draft {
  const llm_message = { role: source === 'user' ? 'user' : 'assistant', content: [{ type: 'text', text }] }
  return { kind: 'MessageEvent', source, llm_message, activated_skills: [], extended_content: [] }
}

function update(key: string, value: unknown): Draft {
  return { kind: 'ConversationStateUpdateEvent', source: 'environment', key, value }
}

function answered(
  part: { thought: string; calls: ({ kind: string } | null)[]; fails: boolean },
  index: number,
): Draft[] {
  const calls = part.calls.map((action, number) => {
    const id = `call-${index}-${number}`
    return {
      kind: 'ActionEvent',
      id,
      source: 'agent',
      tool_name: 'terminal',
      tool_call_id: id,
      thought: number === 0 ? [{ type: 'text', text: part.thought }] : [],
      thinking_blocks: [],
      action,
      tool_call: { id, name: toolName(action), arguments: JSON.stringify(action ?? 'not what was asked for') },
      llm_response_id: `answer-${index}`,
      security_risk: 'LOW',
    }
  })
  const results = calls.map(({ id }) =>
    part.fails
      ? { kind: 'AgentErrorEvent', source: 'agent', tool_name: 'terminal', tool_call_id: id, error: 'It failed.' }
      : {
          kind: 'ObservationEvent',
          source: 'environment',
          tool_name: 'terminal',
          tool_call_id: id,
          action_id: id,
          observation: thinkResult,
        },
  )
  return [...calls, update('stats', statsOf(index)), ...results]
}

const thinkResult = { kind: 'ThinkObservation', content: [{ type: 'text', text: 'Noted.' }], is_error: false }

function toolName(action: { kind: string } | null): string {
  if (action?.kind === 'FileEditorAction') return 'file_editor'
  if (action?.kind === 'ThinkAction') return 'think'
  return action?.kind === 'FinishAction' ? 'finish' : 'terminal'
}

function statsOf(cost: number): unknown {
  const total = { model_name: 'm', accumulated_cost: cost, max_budget_per_task: null, accumulated_token_usage: null }
  return { usage_to_metrics: { default: total }, steps: 1, cost_unknown: false, last_step: null }
}

const view = (events: readonly Event[]): LegacyEvent[] => new LegacyView().push(events)

describe('the legacy view of a log', () => {
  it('has one event of the documented form for each event, with dense ids', () => {
    fc.assert(
      fc.property(story, events => {
        const seen = view(events)
        expect(seen.map(({ id }) => id)).toEqual([...events.keys()])
        for (const one of seen) expect(legacyEvent.safeParse(one).error).toBeUndefined()
      }),
    )
  })

  it('says the same after any cut, when the calls before it are known', () => {
    fc.assert(
      fc.property(story, fc.nat(), (events, at) => {
        const cut = at % (events.length + 1)
        const earlier = new LegacyView()
        const first = earlier.push(events.slice(0, cut))
        const both = [...first, ...earlier.push(events.slice(cut))]
        const withoutFigures = (all: LegacyEvent[]) => all.map(({ llm_metrics: _, ...rest }) => rest)
        expect(withoutFigures(both)).toEqual(withoutFigures(view(events)))
      }),
    )
  })

  it('names as cause of each result the call that it answers', () => {
    fc.assert(
      fc.property(story, events => {
        const seen = view(events)
        for (const one of seen) {
          if (one.cause === undefined) continue
          const cause = seen[one.cause]
          expect(cause && 'action' in cause && one.cause < one.id).toBe(true)
          expect(cause?.tool_call_metadata?.tool_call_id).toBe(one.tool_call_metadata?.tool_call_id)
        }
        const results = events.filter(({ kind }) => kind === 'ObservationEvent' || kind === 'AgentErrorEvent')
        expect(seen.filter(({ cause }) => cause !== undefined)).toHaveLength(results.length)
      }),
    )
  })

  it('keeps what was asked and answered: a replay of it is a replay of the log', async () => {
    await fc.assert(
      fc.asyncProperty(story, async events => {
        const trajectory = view(events).filter(one => !isNull(one) || 'action' in one)
        expect(await parseTrajectory(JSON.stringify(trajectory))).toEqual(await parseTrajectory(JSON.stringify(events)))
      }),
    )
  })

  it('shows the figures with every call of the answer that they count', () => {
    const events = story.filter(all => all.some(({ kind }) => kind === 'ActionEvent'))
    fc.assert(
      fc.property(events, all => {
        for (const one of view(all))
          if (one.tool_call_metadata && 'action' in one) expect(one.llm_metrics).toBeDefined()
      }),
    )
  })
})

describe('a trajectory that another program recorded', () => {
  const recorded = [
    { id: 0, source: 'agent', action: 'system', args: { content: 'You are …' } },
    {
      id: 1,
      source: 'environment',
      observation: 'agent_state_changed',
      content: '',
      extras: { agent_state: 'loading' },
    },
    { id: 2, source: 'user', action: 'message', args: { content: 'Fix the test.' } },
    { id: 3, source: 'user', action: 'recall', args: { query: 'Fix the test.' } },
    {
      id: 4,
      source: 'agent',
      action: 'run',
      args: { command: 'npm test', thought: 'First the tests.' },
      tool_call_metadata: {
        function_name: 'execute_bash',
        tool_call_id: 'c1',
        total_calls_in_response: 1,
        model_response: {
          id: 'r1',
          choices: [
            {
              message: {
                content: null,
                tool_calls: [{ id: 'c1', function: { name: 'execute_bash', arguments: '{}' } }],
              },
            },
          ],
        },
      },
    },
    { id: 5, source: 'agent', cause: 4, observation: 'run', content: 'failed', extras: {} },
    { id: 6, source: 'agent', action: 'read', args: { path: '/workspace/a.ts', view_range: null } },
    {
      id: 7,
      source: 'agent',
      action: 'edit',
      args: { path: '/workspace/a.ts', command: 'str_replace', old_str: 'a', new_str: '', file_text: null },
    },
    { id: 8, source: 'agent', action: 'browse', args: { url: 'https://example.com' } },
    { id: 9, source: 'agent', action: 'finish', args: { final_thought: 'Done.', outputs: {} } },
  ]

  it('is understood by what its actions did, without what no tool here can repeat', async () => {
    const { initialMessage, answers } = await parseTrajectory(JSON.stringify({ trajectory: recorded }))
    expect(initialMessage).toBe('Fix the test.')
    expect(answers.map(({ toolCalls }) => toolCalls.map(one => [one.name, JSON.parse(one.arguments)]))).toEqual([
      [['terminal', { command: 'npm test' }]],
      [['file_editor', { command: 'view', path: '/workspace/a.ts' }]],
      [['file_editor', { command: 'str_replace', path: '/workspace/a.ts', old_str: 'a', new_str: '' }]],
      [['finish', { message: 'Done.' }]],
    ])
    expect(answers[0]?.text).toBe('First the tests.')
  })

  it('must start with a message of the user', async () => {
    await expect(parseTrajectory(JSON.stringify(recorded.slice(4)))).rejects.toThrow("start with a user's message")
    await expect(parseTrajectory('[1]')).rejects.toThrow('not a list of events')
  })
})
