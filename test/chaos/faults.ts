import { setTimeout as delay } from 'node:timers/promises'
import type { ProofEngine } from '../parts/engine/proof-engine.ts'
import { pick } from '../parts/value/random.ts'
import type { Disk } from './disk.ts'
import type { EngineLink } from './engine-link.ts'
import type { ChaosModel } from './model.ts'
import type { Fault } from './plan.ts'
import type { ServiceProcess } from './service.ts'
import type { User } from './user.ts'

export interface World {
  service: ServiceProcess
  engine: ProofEngine
  link: EngineLink
  disk: Disk | null
  model: ChaosModel
  users: readonly User[]
}

/** Undoes what is left of a fault. */
export type Heal = () => Promise<void> | void

const NOTHING = () => {}
const HOUR_MS = 3_600_000
const UNPAUSE_MS = 3000
const CLOCK_JUMPS = [-40 * 24, -24, -1, -1 / 60, 1 / 60, 1, 24, 400 * 24].map(hours => hours * HOUR_MS)
const LATENCIES = [20, 80, 250, 700]

export async function inject(fault: Fault, world: World): Promise<Heal> {
  const { service, engine, link, disk } = world
  const one = <T>(forms: readonly T[]): T => pick(() => fault.form, forms)
  switch (fault.kind) {
    case 'service killed':
      await service.end('SIGKILL')
      return () => service.ensureRunning()
    case 'service killed while it starts':
      await service.killWhileStarting(fault.lasts)
      return () => service.ensureRunning()
    case 'service stopped and started':
      await service.end('SIGTERM')
      return () => service.ensureRunning()
    case 'service frozen':
      service.signal('SIGSTOP')
      return () => service.signal('SIGCONT')
    case 'clock of the service jumps':
      service.jump(one(CLOCK_JUMPS))
      return () => service.jump(0)
    case 'engine killed':
      await engine.own?.kill()
      return async () => engine.own?.start()
    case 'engine frozen':
      engine.own?.freeze()
      return () => engine.own?.thaw()
    case 'engine slow':
      link.slowDown(one(LATENCIES))
      return () => link.recover()
    case 'engine silent':
      link.hold()
      return () => link.recover()
    case 'connections to the engine cut':
      link.cut()
      return NOTHING
    case 'engine unreachable':
      link.refuse()
      return () => link.recover()
    case 'disk full':
      disk?.fill()
      return () => disk?.free()
    default:
      return injectInOne(fault, world)
  }
}

async function injectInOne(fault: Fault, { engine, model, users }: World): Promise<Heal> {
  const user = users[fault.user ?? 0]
  if (!user) throw new Error(`There is no user ${fault.user}.`)
  switch (fault.kind) {
    case 'stopped by the user':
      // Where the service does not answer at this moment, there is nothing to stop.
      await user.stop().catch(NOTHING)
      return NOTHING
    case 'container killed':
      await ofSandbox(user, id => engine.ask('POST', `/containers/${id}/kill`))
      return NOTHING
    case 'container frozen': {
      const frozen: string[] = []
      await ofSandbox(user, async name => {
        const { Id } = await engine.ask('GET', `/containers/${name}/json`)
        await engine.ask('POST', `/containers/${Id}/pause`)
        frozen.push(Id)
      })
      return () => Promise.all(frozen.map(id => unpause(id, engine))).then(NOTHING)
    }
    case 'shell killed':
      await signalShells(user, engine, 'SIGKILL')
      return NOTHING
    case 'shell frozen': {
      const ids = await signalShells(user, engine, 'SIGSTOP')
      return () => signal(ids, 'SIGCONT')
    }
    default:
      model.misbehave(user.name, fault)
      return NOTHING
  }
}

/**
 * An engine that has caught a command with the pause cannot resume the container. Its processes are thawed past it until the
 * command has begun, and frozen again, as the engine expects them.
 */
async function unpause(id: string, { ask, own }: ProofEngine): Promise<void> {
  const resume = () => ask('POST', `/containers/${id}/unpause`).catch(NOTHING)
  const resumed = resume()
  const isStuck = await Promise.race([resumed.then(() => false), delay(UNPAUSE_MS, true)])
  if (!isStuck) return
  own?.freezeContainer(id, false)
  await resumed
  const state = await ask('GET', `/containers/${id}/json`).catch(NOTHING)
  // Somebody may have resumed it before.
  if (!state?.State.Paused) return
  own?.freezeContainer(id, true)
  await resume()
}

/** A sandbox that another fault of the same moment has stopped or taken away meets this one no more. */
async function ofSandbox(user: User, act: (id: string) => Promise<unknown>): Promise<void> {
  const id = await user.sandboxId.catch(NOTHING)
  if (id) await act(id).catch(NOTHING)
}

async function signalShells(user: User, engine: ProofEngine, name: NodeJS.Signals): Promise<number[]> {
  const ids: number[] = []
  await ofSandbox(user, async id => {
    const { Titles, Processes }: { Titles: string[]; Processes: string[][] } = await engine.ask(
      'GET',
      `/containers/${id}/top`,
    )
    const [pid, command] = [Titles.indexOf('PID'), Titles.indexOf('CMD')]
    const shells = Processes.filter(fields => /^-?(\/bin\/)?(ba)?sh\b/.test(fields[command] ?? ''))
    ids.push(...shells.map(fields => Number(fields[pid])))
  })
  signal(ids, name)
  return ids
}

function signal(ids: readonly number[], name: NodeJS.Signals): void {
  for (const id of ids) {
    try {
      process.kill(id, name)
    } catch {
      // It has ended since.
    }
  }
}
