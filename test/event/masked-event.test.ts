import { expect, test } from 'vitest'
import { HIDDEN } from '../../server/api/contract/hidden-values.ts'
import type { NewEvent } from '../../server/api/event/events.ts'
import { ANSWER_REVIEW_COMMENT } from '../../server/api/event/review-comments.ts'
import { maskEvent } from '../../server/event/masked-event.ts'
import { createMask } from '../../server/secret/mask/mask.ts'

const SECRET = 'sk-very-"secret"-value'
const mask = createMask([SECRET]).mask
const said = `it is ${SECRET}.`
const hidden = `it is ${HIDDEN}.`
const text = (value: string) => ({ type: 'text' as const, text: value })
const call = { tool_name: 't', tool_call_id: 'c' }
const tool_call = { id: 'c', name: 't', arguments: JSON.stringify({ a: said }), origin: 'completion' as const }

type LoggedAction = Extract<NewEvent, { kind: 'ActionEvent' }>

function action(parameters: Pick<LoggedAction, 'action'> & Partial<LoggedAction>): NewEvent {
  return {
    kind: 'ActionEvent',
    source: 'agent',
    ...call,
    thought: [text(said)],
    reasoning_content: said,
    thinking_blocks: [],
    tool_call,
    llm_response_id: 'r',
    security_risk: 'LOW',
    summary: said,
    ...parameters,
  }
}

const EVENTS: { name: string; event: NewEvent }[] = [
  {
    name: 'a message of the agent',
    event: {
      kind: 'MessageEvent',
      source: 'agent',
      llm_message: { role: 'assistant', content: [text(said)] },
      activated_skills: [],
      extended_content: [text(said)],
    },
  },
  { name: 'the report at the end', event: action({ action: { kind: 'FinishAction', message: said } }) },
  { name: 'a thought', event: action({ action: { kind: 'ThinkAction', thought: said } }) },
  {
    name: 'a list of tasks',
    event: action({
      action: { kind: 'TaskTrackerAction', command: 'plan', task_list: [{ title: said, notes: said, status: 'todo' }] },
    }),
  },
  {
    name: 'an answer to a comment',
    event: action({
      tool_name: ANSWER_REVIEW_COMMENT,
      action: { kind: 'MCPToolAction', data: { comment: 1, outcome: 'done', text: said } },
    }),
  },
  { name: 'an error of a tool', event: { kind: 'AgentErrorEvent', source: 'agent', ...call, error: said } },
  {
    name: 'an error of the conversation',
    event: {
      kind: 'ConversationErrorEvent',
      source: 'environment',
      code: 'x',
      detail: said,
      classification: { kind: 'internal', retryable: true, user_action: 'none' },
    },
  },
  {
    name: 'a title',
    event: { kind: 'ConversationStateUpdateEvent', source: 'environment', key: 'title', value: said },
  },
  {
    name: 'a summary of earlier steps',
    event: {
      kind: 'Condensation',
      source: 'environment',
      forgotten_event_ids: [],
      summary: said,
      llm_response_id: 'r',
    },
  },
  {
    name: 'a rejection',
    event: {
      kind: 'UserRejectObservation',
      source: 'environment',
      ...call,
      action_id: 'a',
      rejection_reason: said,
      rejection_source: 'user',
    },
  },
  {
    name: 'what a hook says',
    event: {
      kind: 'HookExecutionEvent',
      source: 'hook',
      hook_event_type: 'PreToolUse',
      hook_command: 'x',
      success: false,
      blocked: true,
      stdout: said,
      stderr: said,
      reason: said,
      additional_context: said,
      error: said,
    },
  },
]

test.each(EVENTS)('a secret value is hidden in $name', ({ event }) => {
  const kept = JSON.stringify(maskEvent(event, mask))
  expect(kept).toContain(hidden)
  expect(kept).not.toContain('very-')
})

test('a command stays as it is to be run, and its thought, reasoning and summary show nothing', () => {
  const command = { kind: 'TerminalAction' as const, command: said, is_input: false, reset: false }
  const masked = maskEvent(action({ action: command }), mask)
  expect(masked).toMatchObject({ action: command, tool_call, summary: hidden, reasoning_content: hidden })
  expect(masked).toMatchObject({ thought: [text(hidden)] })
})

test('what the user wrote stays as it is', () => {
  const event: NewEvent = {
    kind: 'MessageEvent',
    source: 'user',
    llm_message: { role: 'user', content: [text(said)] },
    activated_skills: [],
    extended_content: [],
  }
  expect(maskEvent(event, mask)).toEqual(event)
})
