import { setTimeout as delay } from 'node:timers/promises'
import { deleteAppConversation } from '../../server/api/v1/conversation/conversations.ts'
import { createAppConversation } from '../../server/api/v1/conversation/starts.ts'
import { startSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import type { SettingsPatch } from '../../server/api/v1/settings/settings.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, settled } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { startParts } from '../sandbox/parts.ts'
import { bareSandboxes } from './bare/sandboxes.ts'
import { compare, interleave, type Row, value } from './process/measure.ts'

const RUNS = 16
/** Until another sandbox is surely prepared, and the engine is quiet again. */
const PREPARED_MS = 5000

/** From a person's word to the first request to the model: what the start of a conversation takes. */
export default async function measure(): Promise<Row[]> {
  const model = await startModelServer()
  const settings = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-bench' }
  const service = await startTestService({ settings })
  const parts = await startParts()
  const bare = await bareSandboxes(parts, { network: 'bridge' })
  try {
    const { id } = await service.client.call(startSandbox, {})
    const existing: number[] = []
    for (let run = -2; run < RUNS; run++) {
      const time = await begin(service, model, id)
      if (run >= 0) existing.push(time)
    }
    const fresh = await interleave(
      { atelier: () => begin(service, model, undefined), bare: bare.measure },
      { warmUps: 2, runs: RUNS },
    )
    const prepared = await fromPrepared(model, settings)
    return [
      value('A conversation in a prepared sandbox, to the first request to the model', prepared, 0.5),
      value('A conversation in a prepared sandbox, to the first request to the model, p95', prepared, 0.95),
      value('A conversation in a running sandbox, to the first request to the model', existing, 0.5, 60),
      value('A conversation in a running sandbox, to the first request to the model, p95', existing, 0.95),
      compare('A conversation in a new sandbox, to the first request to the model', fresh, {
        aim: { kind: 'added', atMost: 30 },
      }),
      compare('A conversation in a new sandbox, to the first request to the model, p95', fresh, { share: 0.95 }),
    ]
  } finally {
    await bare.removeAll()
    await parts.close()
    await service.close()
    await model.close()
  }
}

async function fromPrepared(model: ModelServer, settings: SettingsPatch): Promise<number[]> {
  const service = await startTestService({ settings, preparedSandboxes: 1 })
  const times: number[] = []
  try {
    for (let run = -2; run < RUNS; run++) {
      await delay(PREPARED_MS)
      const time = await begin(service, model, undefined)
      if (run >= 0) times.push(time)
    }
    return times
  } finally {
    await service.close()
  }
}

/** @returns milliseconds until the model is asked */
async function begin(service: TestService, model: ModelServer, sandbox_id: string | undefined): Promise<number> {
  let started = 0
  const asked = new Promise<number>(resolve => {
    model.setScript(() => {
      resolve(performance.now() - started)
      return { text: 'Ready.' }
    })
  })
  started = performance.now()
  const body = { title: 'Bench', initial_message: said('Begin'), ...(sandbox_id && { sandbox_id }) }
  const { status, detail, app_conversation_id } = await settled(
    service,
    await service.client.call(createAppConversation, { body }),
  )
  if (status !== 'READY') throw new Error(`The conversation did not start. ${detail}`)
  const time = await asked
  await untilFinished(service, app_conversation_id ?? '')
  // With its last conversation a sandbox is deleted.
  if (!sandbox_id && app_conversation_id)
    await service.client.call(deleteAppConversation, { params: { conversation_id: app_conversation_id } })
  return time
}

/** What a run does after its answer is no part of the next start. */
async function untilFinished(service: TestService, id: string): Promise<void> {
  const seen = await watch(service, id)
  await seen.untilStatus('finished')
  await seen.close()
  await delay(150)
}
