import { Semaphore } from '../../async/semaphore.ts'
import { clashing } from '../../compose/plan.ts'
import type { LeftOutService, ServicePlan } from '../../compose/service-plan.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import type { ContainerState, Engine } from '../../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { ImageBuilder } from '../build/builder.ts'
import { imageDetail, type SandboxImages } from '../image.ts'
import { type BoundFiles, readBoundFiles } from './bound-files.ts'
import { buildServiceImage, removeFormerImages } from './built-image.ts'
import { digestOf, type ServiceContainer, serviceRequest } from './container.ts'
import { addHostNames } from './host-names.ts'
import { type Awaited, assertCondition, untilReady } from './readiness.ts'

/** How far a service is that is being started, or why it was not. */
export type ServiceProgress = { state: 'pulling' | 'starting' | 'failed'; detail: string | null }

export interface SetStart {
  connection: Pick<EngineConnection, 'engine' | 'info'>
  images: Pick<SandboxImages, 'ensure'>
  builder: Pick<ImageBuilder, 'build'>
  /** Whether the steps of builds reach the internet, as the sandbox does. */
  hasNetwork: boolean
  onBuildLine(name: string, line: string): void
  onBuilt(name: string): void
  instanceId: string
  sandbox: SandboxHandle
  /** The root of the repository. */
  folder: string
  /** Those to start, each behind those that it depends on. */
  plans: readonly ServicePlan[]
  /** What there is in the engine. */
  existing: readonly ServiceContainer[]
  listening(): Promise<ReadonlySet<number>>
  report(name: string, progress: ServiceProgress | null): void
  signal: AbortSignal
}

const MAX_PULLS = 3

/**
 * Starts services of a sandbox, each when those that it depends on are as it wants them. One that fails does not keep the
 * others from starting; why it failed is reported.
 * @throws AppError of the sandbox and of an engine that went away, and the signal's reason
 */
export async function startSet(start: SetStart): Promise<void> {
  const { connection, sandbox, plans: asked, report, signal } = start
  const engine = connection.engine()
  const container = await runningSandbox(engine, sandbox.id)
  assertSharesNetwork(container, connection.info().runtimes)
  for (const { name } of asked) report(name, { state: 'starting', detail: 'Waiting.' })
  const failed = new Map<string, string>()
  const fail = (name: string, reason: string) => {
    failed.set(name, reason)
    report(name, { state: 'failed', detail: reason })
  }
  const pulls = new Semaphore(() => MAX_PULLS)
  const plans = await Promise.all(
    asked.map(plan =>
      pulls.run(
        () => ensureImage(start, plan, fail),
        () => {},
        signal,
      ),
    ),
  )
  const ports = await portsOf(engine, plans)
  for (const { name, reason } of clashes(start, ports, failed)) fail(name, reason)
  const wanted = plans.filter(({ name }) => !failed.has(name))
  const names = new Map(wanted.map(plan => [plan.name, [plan.name, ...plan.aliases]]))
  await addHostNames(engine, container.id, [...names.values()].flat())
  const begun = new Map<string, Promise<Awaited>>()
  for (const [rank, plan] of wanted.entries()) {
    const facts = { names: names.get(plan.name) ?? [], ports: ports.get(plan.name) ?? [], rank }
    const ready = startOne(start, { plan, facts, container, begun })
    begun.set(plan.name, ready)
    ready.then(
      () => report(plan.name, null),
      error => signal.aborted || fail(plan.name, messageOf(error)),
    )
  }
  const outcomes = await Promise.allSettled(begun.values())
  await removeFormerImages(engine, { instanceId: start.instanceId, sandboxId: sandbox.id }, wanted).catch(() => {})
  signal.throwIfAborted()
  for (const each of outcomes) {
    if (each.status === 'rejected' && isAppError(each.reason, 'engine_unavailable')) throw each.reason
  }
}

async function runningSandbox(engine: Engine, id: string): Promise<ContainerState> {
  const container = await engine.inspectContainer(id)
  if (container?.status === 'running') return container
  throw new AppError('sandbox_not_running', 'The sandbox is not running. Resume it first.')
}

/** @throws AppError conflict */
function assertSharesNetwork(
  { runtime }: ContainerState,
  runtimes: readonly { name: string; hasKernelNetwork: boolean }[],
): void {
  if (runtimes.find(({ name }) => name === runtime)?.hasKernelNetwork !== false) return
  const message = `The sandbox runs in ${runtime}, which shares its network with no other container. Choose a spec with another runtime for this project.`
  throw new AppError('conflict', message)
}

/** @returns the plan with the image that it is made from, also where that failed */
async function ensureImage(
  start: SetStart,
  plan: ServicePlan,
  fail: (name: string, reason: string) => void,
): Promise<ServicePlan> {
  const { connection, images, report, signal } = start
  const { name, image, build } = plan
  try {
    if (build) {
      const onDetail = (detail: string) => report(name, { state: 'starting', detail })
      const onLine = (line: string) => start.onBuildLine(name, line)
      const parts = { ...start, engine: connection.engine(), onDetail, onLine }
      const built = await buildServiceImage(parts, { name, build }, signal)
      start.onBuilt(name)
      return { ...plan, image: built }
    }
    if (await connection.engine().image(image)) return plan
    await images.ensure(
      image,
      progress => report(name, { state: 'pulling', detail: imageDetail(image, progress) }),
      signal,
    )
    report(name, { state: 'starting', detail: 'Waiting.' })
  } catch (error) {
    signal.throwIfAborted()
    if (isAppError(error, 'engine_unavailable')) throw error
    fail(name, messageOf(error))
  }
  return plan
}

/** What the file names, else what the image does. */
async function portsOf(engine: Engine, plans: readonly ServicePlan[]): Promise<Map<string, number[]>> {
  const each = plans.map(async ({ name, ports, image }): Promise<[string, number[]]> => {
    return [name, ports.length > 0 ? ports : ((await engine.image(image))?.ports ?? [])]
  })
  return new Map(await Promise.all(each))
}

/** Also with those that run already. */
function clashes(
  { plans, existing }: SetStart,
  ports: ReadonlyMap<string, number[]>,
  failed: ReadonlyMap<string, string>,
): LeftOutService[] {
  const names = new Set(plans.map(({ name }) => name))
  const others = existing.filter(({ name, container }) => !names.has(name) && container.status !== 'exited')
  const all = [
    ...others.map(({ name, facts }) => ({ name, ports: facts.ports })),
    ...plans.filter(({ name }) => !failed.has(name)).map(({ name }) => ({ name, ports: ports.get(name) ?? [] })),
  ]
  return clashing(all)
}

interface OneStart {
  plan: ServicePlan
  facts: { names: string[]; ports: number[]; rank: number }
  container: ContainerState
  /** Those that stand before it. */
  begun: ReadonlyMap<string, Promise<Awaited>>
}

async function startOne(start: SetStart, { plan, facts, container, begun }: OneStart): Promise<Awaited> {
  const { connection, sandbox, folder, report, listening, signal } = start
  const engine = connection.engine()
  for (const { name, condition } of plan.dependsOn) {
    const other = begun.get(name)
    if (!other) continue
    report(plan.name, { state: 'starting', detail: `Waiting for ${name}.` })
    const awaited = await other.catch(() => {
      throw new AppError('engine_failed', `It waits for ${name}, which could not be started.`)
    })
    await assertCondition(awaited, condition, { engine, signal })
  }
  report(plan.name, { state: 'starting', detail: null })
  const files = await readBoundFiles(sandbox, folder, plan, signal)
  const containerId = await containerOf(engine, start, { plan, facts, files, container })
  signal.throwIfAborted()
  await engine.startContainer(containerId)
  const awaited = { name: plan.name, containerId, ports: facts.ports }
  await untilReady(awaited, { engine, listening, signal })
  return awaited
}

/** The one that there is, if it was made from the same; else a new one with its files. */
async function containerOf(
  engine: Engine,
  { connection, instanceId, sandbox, existing }: SetStart,
  { plan, facts, files, container }: Omit<OneStart, 'begun'> & { files: BoundFiles },
): Promise<string> {
  const known = existing.find(({ name }) => name === plan.name)
  // One that never ran may lack its files.
  const isSame = known?.digest === digestOf(plan, files, container.id) && known.container.status !== 'created'
  if (known && isSame) return known.container.id
  if (known) await engine.removeContainer(known.container.id)
  const place = { instanceId, sandboxId: sandbox.id, container, capacity: connection.info() }
  const id = await engine.createContainer(serviceRequest(plan, { ...facts, files }, place))
  try {
    if (files.archive) await engine.putArchive(id, '/', files.archive)
    return id
  } catch (error) {
    await engine.removeContainer(id).catch(() => {})
    throw error
  }
}
