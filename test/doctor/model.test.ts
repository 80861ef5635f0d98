import { expect } from 'vitest'
import { keychainCheck } from '../../server/doctor/keys.ts'
import { modelCheck, modelQuestions } from '../../server/doctor/model.ts'
import { AppError } from '../../server/domain/errors.ts'
import { createSessionVault } from '../../server/secret/vault/session.ts'
import type { ModelRequest } from '../fakes/model-server.ts'
import { it } from '../fixtures/base.ts'
import { choiceFor } from '../llm/ask.ts'
import { outbound } from '../parts/outbound.ts'

const signal = new AbortController().signal
const FIRST_ANSWER_MS = 50

type Settings = Parameters<typeof modelCheck>[0]['settings']

function settingsOf(more: Partial<Settings>): { settings: Settings; outbound: typeof outbound } {
  const read = () => ({ llm_model: 'openai/scripted', llm_base_url: 'http://ada:canary@127.0.0.1:1/v1?key=canary' })
  return { settings: { read, lacksModelKey: async () => false, ...more } as Settings, outbound }
}

const failing = (code: 'model_not_set' | 'keychain_locked') => async () => {
  throw new AppError(code, 'No.')
}

it('says whether a model can be asked, without asking it and without the credentials of its address', async () => {
  const checked = (more: Partial<Settings>) => modelCheck(settingsOf(more))(signal)
  const found = await checked({})
  expect(found).toMatchObject({ state: 'ok', finding: 'model_chosen' })
  expect(JSON.stringify(found)).not.toContain('canary')
  expect(await checked({ lacksModelKey: async () => true })).toMatchObject({ finding: 'model_key_missing' })
  expect(await checked({ lacksModelKey: failing('model_not_set') })).toMatchObject({ finding: 'model_not_set' })
  expect(await checked({ lacksModelKey: failing('keychain_locked') })).toMatchObject({
    state: 'unknown',
    finding: 'model_key_unknown',
  })
})

it('asks whether the model answers, calls tools and sees images', async ({ model }) => {
  const asked = () => modelQuestions(settingsOf({ modelChoice: async () => choiceFor('openai', model) }))(signal)
  const fact = (found: Awaited<ReturnType<typeof asked>>, name: string) =>
    found.facts?.find(each => each.name === name)?.value
  const hasImage = ({ body }: ModelRequest) => JSON.stringify(body).includes('image_url')
  let others = Number.POSITIVE_INFINITY
  model.setScript(request => {
    const isFirst = !request.body.tools && !hasImage(request)
    if (isFirst) return { text: 'Ready.', delayMs: FIRST_ANSWER_MS }
    others = Math.min(others, performance.now())
    return hasImage(request) ? { text: 'Red.' } : { toolCalls: [{ name: 'report_ready', arguments: { ready: true } }] }
  })
  const began = performance.now()
  const whole = await asked()
  expect(whole).toMatchObject({ state: 'ok', finding: 'model_answers' })
  expect([fact(whole, 'tool_calls'), fact(whole, 'images')]).toEqual(['yes', 'yes'])
  // That of the first answer alone, which the others come after.
  const latency = Number(fact(whole, 'latency'))
  expect(Number.isInteger(latency)).toBe(true)
  expect(latency).toBeGreaterThanOrEqual(FIRST_ANSWER_MS)
  expect(latency).toBeLessThanOrEqual(Math.ceil(others - began))

  model.setScript(request => (hasImage(request) ? { fault: 'bad-request' } : { text: 'I call nothing.' }))
  const talking = await asked()
  expect(talking).toMatchObject({ state: 'problem', finding: 'model_without_tools', action: 'choose_model' })
  expect(fact(talking, 'images')).toBe('no')

  model.setScript(() => ({ fault: 'authentication' }))
  const refused = await asked()
  expect(refused).toMatchObject({ state: 'problem', finding: 'model_failed' })
  expect(fact(refused, 'error')).toBe('llm_authentication')
})

it('says that keys are kept in memory where there is no keychain', async () => {
  const vault = createSessionVault({ state: 'missing', reason: 'There is none.' })
  expect(await keychainCheck(vault)(signal)).toMatchObject({ state: 'warning', finding: 'keychain_missing' })
})
