import { startConversation } from '../parts/client/conversation.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { type Row, row, timed } from './process/measure.ts'
import { startInstantModel } from './process/model.ts'
import { runTask } from './process/task.ts'

const TOGETHER = 20
const ALONE = 3
const STEPS = 8
/** A model that thinks as long as a quick one does, and a command that waits as most do. */
const TASK = {
  calls: Array.from({ length: STEPS }, (_, index) => ({
    name: 'terminal',
    arguments: JSON.stringify({ command: `sleep 0.5; echo ${index}` }),
  })),
  thinkMs: 500,
}

/** Conversations at once, each in its own sandbox, against the slowest of them alone; and what they hold afterwards. */
export default async function measure(): Promise<Row[]> {
  const names = Array.from({ length: TOGETHER }, (_, index) => `task-${index}`)
  const model = await startInstantModel(Object.fromEntries(names.map(name => [name, TASK])))
  const service = await startTestService({ settings: { llm_base_url: model.url } })
  try {
    const begin = (name: string) => startIn(service, name)
    const first = names.slice(0, 1)
    // What is loaded once, at the first use of its kind, belongs to no conversation.
    for (const name of first) await runTask(service, await begin(name), 'Work')
    const before = heldMb()
    let ids: string[] = []
    const startMs = await timed(async () => {
      ids = await Promise.all(names.map(begin))
    })
    for (const name of first) await model.pauses(name)
    const alone: number[] = []
    for (const id of ids.slice(0, ALONE)) alone.push(await runTask(service, id, 'Work'))
    for (const name of names) await model.pauses(name)
    const together = await timed(() => Promise.all(ids.map(id => runTask(service, id, 'Work'))))
    const idleMb = (heldMb() - before) / TOGETHER
    return [
      row({
        what: `${TOGETHER} tasks at once in ${TOGETHER} sandboxes, against the slowest of ${ALONE} alone`,
        unit: 'ms',
        atelier: together,
        bare: Math.max(...alone),
        runs: 1,
        aim: { kind: 'ratio', atMost: 1.3 },
      }),
      row({ what: `Start of ${TOGETHER} sandboxes at once`, unit: 'ms', atelier: startMs, bare: null, runs: 1 }),
      row({
        what: 'Memory of an idle conversation with its shell',
        unit: 'MB',
        atelier: idleMb,
        bare: null,
        runs: TOGETHER,
      }),
    ]
  } finally {
    await service.close()
    await model.close()
  }
}

async function startIn(service: TestService, name: string): Promise<string> {
  const { app_conversation_id, detail } = await startConversation(service, { title: name, llm_model: name })
  if (!app_conversation_id) throw new Error(`The conversation did not start. ${detail}`)
  return app_conversation_id
}

/** What stays after a collection, inside and outside of the heap. */
function heldMb(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
