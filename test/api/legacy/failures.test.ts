import { describe, expect } from 'vitest'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import type { Turn } from '../../fakes/model-server/turn.ts'
import { it as base } from '../../fixtures/service.ts'
import { call, type Frame, type LegacyWatch, watchLegacy } from '../../parts/client/legacy.ts'

const it = base.extend(
  'start',
  { scope: 'file' },
  ({ service }) =>
    async (text: string): Promise<{ id: string; seen: LegacyWatch }> => {
      const { body } = await call(service, 'POST', '/api/conversations', { initial_user_msg: text })
      const id = (body as { conversation_id: string }).conversation_id
      return { id, seen: watchLegacy(service, id) }
    },
)

const change = (seen: LegacyWatch, agent_state: string) =>
  seen.socket.emit('oh_user_action', { action: 'change_agent_state', args: { agent_state } })
const say = (seen: LegacyWatch, content: string) =>
  seen.socket.emit('oh_user_action', { action: 'message', args: { content, image_urls: [], file_urls: [] } })
const isStatus = (frame: Frame) => 'status_update' in frame && frame.type === 'error'
const isState = (frame: Frame, state: string) =>
  'observation' in frame && frame.observation === 'agent_state_changed' && frame.extras.agent_state === state

/** Where a model would be asked again, it says to wait for too long. */
const FAILURES: [string, Turn, string][] = [
  ['refuses the key', { fault: 'authentication' }, 'STATUS$ERROR_LLM_AUTHENTICATION'],
  ['has no credit left', { fault: 'no-credit' }, 'STATUS$ERROR_LLM_OUT_OF_CREDITS'],
  ['withholds its answer', { fault: 'content-policy' }, 'STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION'],
  [
    'is asked too often',
    { fault: 'rate-limit', retryAfter: 10_000 },
    'CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE',
  ],
  ['is broken', { fault: 'overloaded', retryAfter: 10_000 }, 'STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR'],
  ['is not known', { fault: 'unknown-model' }, 'STATUS$ERROR'],
]

describe('a run that fails', () => {
  it('is told by the name that existing clients know, and the state says why', async ({ model, start }) => {
    model.setScript([{ text: 'Ready.' }])
    const { seen } = await start('Begin.')
    await seen.untilState('finished')
    for (const [what, turn, status] of FAILURES) {
      seen.frames.length = 0
      model.setScript([turn])
      say(seen, 'Go on.')
      const state = await seen.until(frame => isState(frame, 'error'), `The end when the model ${what}`)
      const told = seen.frames.filter(isStatus)
      expect(told, what).toMatchObject([{ id: status, message: expect.stringMatching(/\S/) }])
      const [{ message: reason } = { message: '' }] = told as { message: string }[]
      expect(state, what).toMatchObject({ extras: { reason } })
      expect(seen.frames.findIndex(isStatus), what).toBeLessThan(seen.frames.indexOf(state))
    }
    seen.close()
  })
})

describe('a limit', () => {
  const again = { toolCalls: [{ name: 'think', arguments: { thought: 'Once more.' } }] }

  it('allows as much again when a client of this generation lets the agent go on', async ({
    service,
    model,
    start,
  }) => {
    await service.client.call(storeSettings, { body: { max_iterations: 2 } })
    model.setScript(() => again)
    const { id, seen } = await start('Think.')
    await seen.untilState('paused')
    const steps = () => seen.events().filter(event => 'action' in event && event.action === 'think').length
    expect(steps()).toBe(2)
    expect(seen.frames.filter(isStatus)).toEqual([])
    seen.frames.length = 0
    change(seen, 'running')
    const paused = await seen.untilState('paused')
    expect(steps()).toBe(2)
    expect(paused).toMatchObject({ extras: { reason: expect.stringContaining('limit of 4 steps') } })
    const { body } = await call(service, 'GET', `/api/v1/app-conversations?ids=${id}`)
    expect(body).toMatchObject([{ max_iterations: 4, limit_reached: 'max_iterations', steps: 4 }])
    seen.close()
  })

  it('of the budget does so as well', async ({ service, model, start }) => {
    await service.client.call(storeSettings, { body: { max_iterations: null, max_budget_per_task: 0.5 } })
    model.setScript(() => ({ ...again, cost: 0.25 }))
    const { id, seen } = await start('Think.')
    await seen.untilState('paused')
    seen.frames.length = 0
    change(seen, 'running')
    await seen.untilState('paused')
    const { body } = await call(service, 'GET', `/api/v1/app-conversations?ids=${id}`)
    expect(body).toMatchObject([{ max_budget_per_task: 1, limit_reached: 'max_budget_per_task', steps: 4 }])
    seen.close()
  })
})
