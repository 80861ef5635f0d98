import { setTimeout as delay } from 'node:timers/promises'
import { startParts, until } from '../../sandbox/parts.ts'
import { type Aim, compare, type Row, type Samples, timed } from '../process/measure.ts'

const RUNS = 20
/** A change waits for the engine's report of the one before it. */
const reported = () => delay(300)
const AIM: Aim = { kind: 'value', atMost: 20 }

/** The pause of a sandbox, and what a command waits longer because its sandbox was paused for want of use; beside the engine's own. */
export async function idleRows(): Promise<Row[]> {
  const parts = await startParts({ minuteMs: 10 })
  try {
    const { engineSandboxes: sandboxes, idle, bus, outside } = parts
    const { id } = await sandboxes.start()
    const container = outside.getContainer(id)
    const pauses: Samples = { atelier: [], bare: [] }
    const resumes: Samples = { atelier: [], bare: [] }
    const becomes = (status: string) =>
      until(bus, async () => ((await sandboxes.get(id)).status === status ? true : undefined))
    for (let run = 0; run < RUNS; run++) {
      idle.minutes = 1
      await becomes('PAUSED')
      idle.minutes = null
      await reported()
      resumes.atelier.push(await timed(() => sandboxes.idle.wake(id)))
      await reported()
      pauses.atelier.push(await timed(() => sandboxes.pause(id)))
      resumes.bare.push(await timed(() => container.unpause()))
      await becomes('RUNNING')
      pauses.bare.push(await timed(() => container.pause()))
      await becomes('PAUSED')
      await sandboxes.resume(id)
    }
    return [
      compare('Pause of a sandbox', pauses, { aim: AIM }),
      compare('Resume of a sandbox that was paused for want of use', resumes, { aim: AIM }),
      compare('The same, p95', resumes, { share: 0.95, aim: { kind: 'value', atMost: 40 } }),
    ]
  } finally {
    await parts.close()
  }
}
