import type { ConversationId } from '../../server/domain/ids.ts'
import { startConversation } from '../parts/client/conversation.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { compare, processorTime, type Row, row } from './process/measure.ts'
import { type InstantModel, startInstantModel } from './process/model.ts'
import { runTask } from './process/task.ts'

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
  const scripts = LOGS.flatMap(({ events }) => [scriptOf(events), bareScriptOf(events)]).map(
    name => [name, { calls, thinkMs: 0 }] as const,
  )
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
  const ours = await processorTime(() => runTask(service, id, 'Think it over'))
  const bare = await processorTime(() => bareSteps(events, model))
  const samples = { atelier: await model.pauses(scriptOf(events)), bare: await model.pauses(bareScriptOf(events)) }
  for (const { length } of Object.values(samples)) {
    if (length !== STEPS) throw new Error(`There were ${length} steps instead of ${STEPS}.`)
  }
  const what = `Our own time for a step after ${events} events`
  return [
    compare(what, samples, { aim: { kind: 'value', atMost } }),
    compare(`${what}, p95`, samples, { share: 0.95 }),
    row({ what: `${what}, on the processor`, unit: 'ms', atelier: ours / STEPS, bare: bare / STEPS, runs: STEPS }),
  ]
}

/** A loop that only asks with the same messages, reads the answer and asks again: nothing is checked, kept or shown. */
async function bareSteps(events: number, model: InstantModel): Promise<void> {
  const messages: object[] = [{ role: 'user', content: 'Think it over' }]
  const addStep = (index: number) => {
    const call = newEvent(index)
    const result = newEvent(index + 1)
    if (call.kind !== 'ActionEvent' || result.kind !== 'ObservationEvent') throw new Error('This is no step.')
    const { id, ...rest } = call.tool_call
    const tool_calls = [{ id, type: 'function', function: rest }]
    messages.push({ role: 'assistant', content: call.thought[0]?.text, tool_calls })
    messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result.observation.content) })
  }
  for (let index = 0; index < events; index += 2) addStep(index)
  for (let step = 0; step <= STEPS; step++) {
    const body = JSON.stringify({ model: bareScriptOf(events), stream: true, messages })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${model.url}/chat/completions`, { method: 'POST', headers, body })
    await reply.text()
    addStep(events + 2 * step)
  }
}

function bareScriptOf(events: number): string {
  return `bare-${events}`
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
    const call = store.eventLog.append(app_conversation_id as ConversationId, newEvent(index))
    const result = newEvent(index + 1)
    if (result.kind !== 'ObservationEvent') throw new Error('The event is not a result.')
    store.eventLog.append(app_conversation_id as ConversationId, { ...result, action_id: call.id })
  }
  store.close()
  await service.restart()
  return app_conversation_id
}
