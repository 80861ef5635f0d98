import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { DependencyCondition } from '../../compose/service-plan.ts'
import type { ContainerState, Engine } from '../../docker/engine.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'

const POLL_MS = 250
/** Of one that ends at once, and that the engine starts again. */
const AWAITED_RESTARTS = 3

export interface Awaited {
  name: string
  containerId: string
  /** Where it listens when it works, as far as that is known. */
  ports: readonly number[]
}

interface Question {
  engine: Engine
  /** Ports at which something listens in the sandbox now. */
  listening(): Promise<ReadonlySet<number>>
  signal: AbortSignal
}

/**
 * Resolves when a service works: its own check says so, or it listens; at once for one of which neither is known. It is not
 * waited for longer than its bound. @throws AppError engine_failed when it has ended
 */
export async function untilReady(service: Awaited, { engine, listening, signal }: Question): Promise<void> {
  const end = performance.now() + BOUNDS.serviceReady.limit
  while (performance.now() < end) {
    const state = await engine.inspectContainer(service.containerId)
    // The engine goes on with it, and it may work later.
    if (state?.status === 'restarting' && (state.restarts ?? 0) >= AWAITED_RESTARTS) return
    if (state?.status !== 'running' && state?.status !== 'restarting') return assertCompleted(service, state, engine)
    if (state.health === 'healthy' || state.health === 'unhealthy') return
    if (state.status === 'running' && state.health === undefined) {
      if (service.ports.length === 0) return
      const open = await listening()
      if (service.ports.some(port => open.has(port))) return
    }
    await delay(POLL_MS, undefined, { signal })
  }
}

/** For one that waits for this one. @throws AppError engine_failed */
export async function assertCondition(
  service: Awaited,
  condition: DependencyCondition,
  { engine, signal }: Pick<Question, 'engine' | 'signal'>,
): Promise<void> {
  const end = performance.now() + BOUNDS.serviceReady.limit
  for (;;) {
    const state = await engine.inspectContainer(service.containerId)
    if (condition === 'service_started') return
    if (condition === 'service_healthy') {
      if (state?.status === 'running' && (state.health === 'healthy' || state.health === undefined)) return
      throw new AppError('engine_failed', `It waits for ${service.name}, which is not healthy.`)
    }
    const isUp = state?.status === 'running' || state?.status === 'restarting'
    if (!isUp) return assertCompleted(service, state, engine)
    if (performance.now() > end)
      throw new AppError('engine_failed', `It waits for ${service.name}, which does not end.`)
    await delay(POLL_MS, undefined, { signal })
  }
}

async function assertCompleted(service: Awaited, state: ContainerState | undefined, engine: Engine): Promise<void> {
  if (state?.status === 'exited' && state.exitCode === 0) return
  throw new AppError('engine_failed', `${service.name} has ended. ${await endOf(service.containerId, state, engine)}`)
}

/** How one that does not run ended, in a sentence, with its last line. */
export async function endOf(containerId: string, state: ContainerState | undefined, engine: Engine): Promise<string> {
  if (!state) return 'It is not there any more.'
  if (state.error) return state.error
  if (state.outOfMemory) return 'It ran out of memory. Give it more with `mem_limit`.'
  const log = await engine.containerLog(containerId, { lines: 1, maxCharacters: 300 }).catch(() => '')
  const last = stripVTControlCharacters(log ?? '').trim()
  return `Exit code ${state.exitCode ?? 'unknown'}.${last ? ` It said: ${last}` : ''}`
}
