import { expect, test } from 'vitest'
import { shownSteps, startDuration } from '../../renderer/state/launch/start-steps.ts'
import {
  type AppConversationStartTask,
  appConversationStartRequest,
  type StartStep,
  type StartTaskStatus,
} from '../../server/api/v1/conversation/starts.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()

function step(status: StartTaskStatus, from: number, to: number | null, detail: string | null = null): StartStep {
  return { status, started_at: at(from), finished_at: to === null ? null : at(to), detail, progress: null }
}

function task(status: StartTaskStatus, steps: StartStep[], repository: string | null = null): AppConversationStartTask {
  return {
    id: 't',
    created_by_user_id: null,
    status,
    detail: null,
    app_conversation_id: null,
    sandbox_id: null,
    agent_server_url: null,
    request: appConversationStartRequest.parse({ selected_repository: repository }),
    steps,
    created_at: at(0),
    updated_at: at(9),
  }
}

const phases = (shown: ReturnType<typeof shownSteps>) => shown.map(({ status, phase }) => [status, phase])

test('shows what is done, what goes on and what is to come', () => {
  const shown = shownSteps(
    task('PREPARING_REPOSITORY', [step('WAITING_FOR_SANDBOX', 0, 1), step('PREPARING_REPOSITORY', 1, null)], 'a/b'),
  )
  expect(phases(shown)).toEqual([
    ['WAITING_FOR_SANDBOX', 'done'],
    ['PREPARING_REPOSITORY', 'going'],
    ['STARTING_CONVERSATION', 'waiting'],
  ])
})

test('steps with nothing to do do not show, unless they take time', () => {
  const quick = [
    step('WAITING_FOR_SANDBOX', 0, 1),
    step('PREPARING_REPOSITORY', 1, 1),
    step('RUNNING_SETUP_SCRIPT', 1, 1),
  ]
  expect(shownSteps(task('SETTING_UP_GIT_HOOKS', quick)).map(({ status }) => status)).toEqual([
    'WAITING_FOR_SANDBOX',
    'STARTING_CONVERSATION',
  ])
  const slow = [step('WAITING_FOR_SANDBOX', 0, 1), step('RUNNING_SETUP_SCRIPT', 1, 4)]
  expect(shownSteps(task('SETTING_UP_GIT_HOOKS', slow)).map(({ status }) => status)).toContain('RUNNING_SETUP_SCRIPT')
})

test('the step that a start failed in is the last that began, and its clock stands still', () => {
  const failed = task('ERROR', [step('WAITING_FOR_SANDBOX', 0, 1), step('PREPARING_REPOSITORY', 1, null, 'no')], 'a/b')
  const shown = shownSteps(failed)
  expect(phases(shown)).toEqual([
    ['WAITING_FOR_SANDBOX', 'done'],
    ['PREPARING_REPOSITORY', 'failed'],
  ])
  expect(shown[1]?.finishedAt).toBe(Date.parse(at(9)))
  expect(startDuration(failed, Date.parse(at(100)))).toBe(9_000)
})

test('a failed step that the service has closed is still the failed one', () => {
  const failed = task('ERROR', [step('WAITING_FOR_SANDBOX', 0, 2)])
  expect(phases(shownSteps(failed))).toEqual([['WAITING_FOR_SANDBOX', 'failed']])
})
