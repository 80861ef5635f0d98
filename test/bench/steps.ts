import { sendMessage } from '../../server/api/app-conversations.ts'
import type { ConversationId } from '../../server/ids.ts'
import { said, startConversation } from '../parts/conversation.ts'
import { startTestService, type TestService } from '../parts/service.ts'
import { openStore } from '../parts/store.ts'
import { watch } from '../parts/watch.ts'
import { newEvent } from './agent-event.ts'
import { quantile, type Row, row } from './measure.ts'
import { type InstantModel, startInstantModel } from './model.ts'

const STEPS = 200
/** How much has happened before, and what a step may take of our own then. */
const LOGS = [
  { events: 10, atMost: 5 },
  { events: 5000, atMost: 15 },
]

/** What a step takes beyond the model and the command: from the end of an answer to the next request. */
export default async function measure(): Promise<Row[]> {
  const calls = Array.from({ length: STEPS }, (_, index) => ({
    name: 'think',
    arguments: JSON.stringify({ thought: `This is thought ${index} of many, and no other one is like it.` }),
  }))
  const scripts = LOGS.map(({ events }) => [scriptOf(events), { calls, thinkMs: 0 }] as const)
  const model = await startInstantModel(Object.fromEntries(scripts))
  const service = await startTestService({ settings: { llm_base_url: model.url, enable_default_condenser: false } })
  try {
    const rows: Row[] = []
    for (const log of LOGS) rows.push(...(await stepsAfter(log, service, model)))
    return rows
  } finally {
    await service.close()
    await model.close()
  }
}

async function stepsAfter(
  { events, atMost }: (typeof LOGS)[number],
  service: TestService,
  model: InstantModel,
): Promise<Row[]> {
  const id = await conversationWith(events, service)
  const seen = await watch(service, id, events)
  await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('Think it over') })
  await seen.untilStatus('finished')
  await seen.close()
  const pauses = await model.pauses(scriptOf(events))
  if (pauses.length !== STEPS) throw new Error(`The agent took ${pauses.length} steps instead of ${STEPS}.`)
  const what = `Our own time for a step after ${events} events`
  const shared = { unit: 'ms', bare: null, runs: STEPS } as const
  return [
    row({ ...shared, what, atelier: quantile(pauses, 0.5), aim: { kind: 'value', atMost } }),
    row({ ...shared, what: `${what}, p95`, atelier: quantile(pauses, 0.95) }),
  ]
}

function scriptOf(events: number): string {
  return `after-${events}`
}

/** In a sandbox of its own. The service locks its data folder, so the events are written while it is closed. */
async function conversationWith(events: number, service: TestService): Promise<string> {
  const body = { title: 'Thoughts', llm_model: scriptOf(events), max_iterations: 10_000 }
  const { app_conversation_id, detail } = await startConversation(service, body)
  if (!app_conversation_id) throw new Error(`The conversation did not start. ${detail}`)
  await service.service.close()
  const store = openStore(service.dataDir)
  for (let index = 0; index < events; index += 2) {
    const call = store.log.append(app_conversation_id as ConversationId, newEvent(index))
    const result = newEvent(index + 1)
    if (result.kind !== 'ObservationEvent') throw new Error('The event is not a result.')
    store.log.append(app_conversation_id as ConversationId, { ...result, action_id: call.id })
  }
  store.close()
  await service.restart()
  return app_conversation_id
}
