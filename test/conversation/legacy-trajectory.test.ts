import { expect, test } from 'vitest'
import { type LegacyRecorded, LegacyTrajectory } from '../../server/agent/legacy-trajectory.ts'

const called = (name: string, args: unknown) => ({
  action: 'call_tool',
  source: 'agent',
  args: {},
  tool_call_metadata: {
    tool_call_id: `call-${name}`,
    model_response: {
      id: `response-${name}`,
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ id: `call-${name}`, function: { name, arguments: JSON.stringify(args) } }],
          },
        },
      ],
    },
  },
})

test('every tool of ours is repeated to the letter, and those of tool servers are not', () => {
  const ours: [string, unknown][] = [
    ['apply_patch', { input: '*** Begin Patch\n*** End Patch' }],
    ['grep', { pattern: 'x' }],
    ['task_tracker', { command: 'view' }],
    ['browser_navigate', { url: 'http://localhost:8011/' }],
  ]
  const events: LegacyRecorded[] = [
    { action: 'message', source: 'user', args: { content: 'Go.' } },
    ...ours.map(([name, args]) => called(name, args)),
    called('weather_lookup', { town: 'Ulm' }),
  ]
  const trajectory = new LegacyTrajectory()
  for (const [index, event] of events.entries()) trajectory.add(event, index)
  const { initialMessage, answers } = trajectory
  expect(initialMessage).toBe('Go.')
  expect([...answers.values()].flatMap(({ toolCalls }) => toolCalls)).toEqual(
    ours.map(([name, args]) => ({ id: `call-${name}`, name, arguments: JSON.stringify(args) })),
  )
})
