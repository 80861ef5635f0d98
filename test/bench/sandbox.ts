import { setTimeout as delay } from 'node:timers/promises'
import { createTerminal } from '../../server/tools/terminal.ts'
import { type Parts, startParts } from '../sandbox/parts.ts'
import { untilPrepared } from '../sandbox/prepared/parts.ts'
import { bareSandboxes } from './bare/sandboxes.ts'
import { idleRows } from './pause/idle.ts'
import { compare, interleave, type Row, timed, value } from './process/measure.ts'

const PREPARED_RUNS = 24
/** What the engine does after a sandbox was prepared or removed is no part of the next start. */
const SETTLED_MS = 1000

/** From nothing to the end of the first command, against the same calls of the engine made by hand. */
export default async function measure(): Promise<Row[]> {
  const parts = await startParts()
  const bare = await bareSandboxes(parts)
  try {
    const runs = { warmUps: 2, runs: 16 }
    const command = await interleave({ atelier: () => sandboxWithCommand(parts), bare: bare.measure }, runs)
    const terminal = await interleave(
      { atelier: () => sandboxWithTerminal(parts), bare: bare.measure },
      { ...runs, runs: 8 },
    )
    const idle = await idleRows()
    const prepared: number[] = []
    parts.prepare(1)
    for (let run = 0; run < PREPARED_RUNS; run++) {
      await untilPrepared(parts, 1)
      await delay(SETTLED_MS)
      prepared.push(await sandboxWithCommand(parts))
    }
    return [
      value('Prepared sandbox to first command', prepared, 0.5, 40),
      value('Prepared sandbox to first command, p95', prepared, 0.95, 120),
      compare('Sandbox start to first command', command, { aim: { kind: 'ratio', atMost: 1.3 } }),
      compare('Sandbox start to first command, p95', command, { share: 0.95 }),
      compare("Sandbox start to the agent's first terminal command", terminal),
      ...idle,
    ]
  } finally {
    await bare.removeAll()
    await parts.close()
  }
}

async function sandboxWithCommand({ sandboxes }: Parts): Promise<number> {
  let id = ''
  const time = await timed(async () => {
    id = (await sandboxes.start()).id
    const { exitCode } = await (await sandboxes.open(id)).exec({ argv: ['true'] })
    if (exitCode !== 0) throw new Error(`The first command ended with ${exitCode}.`)
  })
  await sandboxes.delete(id)
  return time
}

async function sandboxWithTerminal({ sandboxes }: Parts): Promise<number> {
  let id = ''
  const terminal = createTerminal({ sandbox: () => sandboxes.open(id), mask: text => text })
  const context = { signal: AbortSignal.timeout(60_000), onOutput: () => {} }
  const time = await timed(async () => {
    id = (await sandboxes.start()).id
    const observation = await terminal.run(terminal.toAction({ command: 'true' }), context)
    if (observation.kind !== 'TerminalObservation' || observation.exit_code !== 0) throw new Error('No terminal.')
  })
  await terminal.close()
  await sandboxes.delete(id)
  return time
}
