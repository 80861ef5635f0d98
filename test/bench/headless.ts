import { rmSync } from 'node:fs'
import { createAppConversation } from '../../server/api/v1/conversation/starts.ts'
import { startSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { startModelServer } from '../fakes/model-server.ts'
import { said, settled } from '../parts/client/conversation.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { startHeadless } from '../parts/service/headless.ts'
import { type Row, row, timed, value } from './process/measure.ts'
import { memoryOfTree } from './process/memory.ts'

const LAUNCHES = 8

/** The service without a window, as a program of its own: how soon it serves, and what it holds when an agent has begun. */
export default async function measure(): Promise<Row[]> {
  const launches: number[] = []
  for (let run = -1; run < LAUNCHES; run++) {
    const time = await launch()
    if (run >= 0) launches.push(time)
  }
  const { atFirst, afterSteps } = await memory()
  return [
    value('Headless: start of the process to its first line, which says that it serves', launches, 0.5, 500),
    value('Headless: the same, p95', launches, 0.95),
    row({
      ...{ what: 'Headless: resident memory at the first request to the model', unit: 'MB', atelier: atFirst },
      ...{ bare: null, runs: 1, aim: { kind: 'value', atMost: 150 } },
    }),
    row({
      ...{ what: `Headless: the same, after ${STEPS} steps`, unit: 'MB', atelier: afterSteps, bare: null, runs: 1 },
    }),
  ]
}

async function launch(): Promise<number> {
  let service: Awaited<ReturnType<typeof startHeadless>> | undefined
  const time = await timed(async () => {
    service = await startHeadless()
  })
  await service?.end('SIGTERM')
  if (service) rmSync(service.dataDir, { recursive: true, force: true })
  return time
}

const STEPS = 500

/** Of all its processes, with what they share counted for each. */
async function memory(): Promise<{ atFirst: number; afterSteps: number }> {
  const model = await startModelServer()
  const service = await startHeadless({ env: { ATELIER_PREPARED_SANDBOXES: '0' } })
  const residentMb = () => memoryOfTree(service.process.pid ?? 0).residentMb
  try {
    const settings = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-bench' }
    await service.client.call(storeSettingsV1, { body: settings })
    const { id } = await service.client.call(startSandbox, {})
    let atFirst = 0
    let steps = 0
    const done = new Promise<void>(resolve => {
      model.setScript(() => {
        if (steps === 0) atFirst = residentMb()
        if (++steps > STEPS) {
          resolve()
          return { text: 'Done.' }
        }
        return { toolCalls: [{ name: 'think', arguments: { thought: `Step ${steps}` } }] }
      })
    })
    const body = { title: 'Bench', initial_message: said('Begin'), sandbox_id: id }
    const task = await settled(service, await service.client.call(createAppConversation, { body }))
    if (task.status !== 'READY') throw new Error(`The conversation did not start. ${task.detail}`)
    await done
    return { atFirst, afterSteps: residentMb() }
  } finally {
    await service.end('SIGTERM')
    await removeSandboxesOf(service.dataDir)
    rmSync(service.dataDir, { recursive: true, force: true })
    await model.close()
  }
}
