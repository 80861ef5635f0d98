import { expect, it } from 'vitest'
import { type Action, action as actionSchema } from '../../server/api/event/actions.ts'
import { event } from '../../server/api/event/events.ts'
import { legacyEvent } from '../../server/api/legacy/events.ts'
import { LegacyView } from '../../server/legacy/event/convert.ts'

const PICTURE = 'data:image/jpeg;base64,AAAA'

/** A call and its result as clients of the legacy generation see them. */
function shown(action: Record<string, unknown>, is_error = false) {
  const parsed: Action = actionSchema.parse(action)
  const common = { source: 'agent', tool_name: 'browser', tool_call_id: 'c', timestamp: '2026-01-02T03:04:05.678Z' }
  const call = {
    ...common,
    kind: 'ActionEvent',
    id: 'a',
    seq: 0,
    thought: [{ type: 'text', text: 'Let me see.' }],
    thinking_blocks: [],
    action: parsed,
    tool_call: { id: 'c', name: 'browser', arguments: '{}' },
    llm_response_id: 'r',
    security_risk: 'MEDIUM',
  }
  const result = {
    ...common,
    kind: 'ObservationEvent',
    source: 'environment',
    id: 'o',
    seq: 1,
    action_id: 'a',
    observation: {
      kind: 'BrowserObservation',
      content: [{ type: 'text', text: 'What came of it.' }],
      is_error,
      screenshot_data: PICTURE,
    },
  }
  const seen = new LegacyView().push([event.parse(call), event.parse(result)])
  for (const one of seen) expect(legacyEvent.safeParse(one).error).toBeUndefined()
  return seen
}

it('shows a visit as a browse action and what was seen with its address and picture', () => {
  const url = 'http://localhost:3000/'
  expect(shown({ kind: 'BrowserNavigateAction', url })).toMatchObject([
    { action: 'browse', args: { url, thought: 'Let me see.', security_risk: 1 } },
    {
      observation: 'browse',
      cause: 0,
      content: 'What came of it.',
      extras: { url, trigger_by_action: 'browse', screenshot: PICTURE, error: false, last_browser_action_error: '' },
    },
  ])
})

it('shows everything else that is done in the browser as a call in it, and says what failed', () => {
  expect(shown({ kind: 'BrowserClickAction', index: 3 }, true)).toMatchObject([
    { action: 'browse_interactive', args: { browser_actions: 'click({"index":3,"new_tab":false})' } },
    { observation: 'browse', extras: { error: true, last_browser_action_error: 'What came of it.' } },
  ])
  expect(shown({ kind: 'BrowserGetStateAction' })).toMatchObject([
    { args: { browser_actions: 'get_state({"include_screenshot":false})' } },
    { extras: { trigger_by_action: 'browse_interactive' } },
  ])
})
