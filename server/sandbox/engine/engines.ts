import {
  type AvailableEngine,
  DEFAULT_ENGINE,
  type EngineAddress,
  type EngineEntry,
} from '../../api/v1/system/engines.ts'
import type { Bus } from '../../bus.ts'
import { availableEngines } from '../../docker/address.ts'
import type { Machine } from '../../docker/candidates.mjs'
import { EngineConnection } from '../../docker/connection.ts'
import { type EngineSearch, findEngine } from '../../docker/socket.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, messageOf } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { Log } from '../../log.ts'
import type { EngineRow, EngineTable } from '../../store/sandbox/engines.ts'
import type { RemovalRecords } from '../../store/sandbox/removals.ts'
import type { SandboxService } from '../service.ts'
import type { SandboxSpecs } from '../specs.ts'
import { checkAddress, hostsOf, isDefault, isSameAddress, notThere, searchAdded, textOf, unlessAway } from './added.ts'
import { problemOfClearing } from './clear.ts'
import { availableClusters } from './clusters.ts'
import { handOver } from './hand-over.ts'
import type { EngineParts } from './parts.ts'

/** One that another entry has is looked at again after so long: the other one may have been removed. */
const SAME_RETRY_MS = 10_000
/** What is left on an engine after that stays there. */
const CLEAR_MS = 20_000

export interface EnginesOptions {
  table: EngineTable
  removals: Pick<RemovalRecords, 'pass'>
  machine: Machine
  /** Reference of the bundled image. */
  ownImage: string | null
  bus: Bus
  log: Log
  specs: Pick<SandboxSpecs, 'choosesEngine' | 'engineOf'>
  sandboxes: Pick<SandboxService, 'count' | 'engineOf'>
  open(id: string, connection: EngineConnection): EngineParts
}

/** Closes the parts of an engine, before its connection is closed. */
export type CloseEngine = (entry: EngineEntry, parts: EngineParts) => Promise<void>

interface Open {
  parts: EngineParts
  /** undefined of the default engine. */
  row: EngineRow | undefined
}

/**
 * The engines that sandboxes run on: the one that is found by itself, and those that a person added.
 *
 * INVARIANTS: no two of them are the same engine, so that nobody tidies up or takes for gone what is another's; one that does
 * not answer keeps nobody waiting who does not need it.
 */
export class Engines {
  readonly #options: EnginesOptions
  /** The default one first. */
  readonly #open = new Map<string, Open>()
  /** Which engine each has found. */
  readonly #identities = new Map<string, string>()
  #starting: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: EnginesOptions) {
    this.#options = options
    this.#add(DEFAULT_ENGINE, undefined)
    for (const row of options.table.all().slice(0, BOUNDS.engines.limit - 1)) this.#add(row.id, row)
  }

  /** Resolves when the default engine was looked for, and its sandboxes are known; the others are looked for meanwhile. */
  async start(): Promise<void> {
    const [first, ...others] = this.all()
    await first?.connection.start()
    this.#starting = Promise.all(others.map(parts => this.#start(parts)))
    await first?.start()
  }

  /** The default one first. */
  all(): EngineParts[] {
    return [...this.#open.values()].map(({ parts }) => parts)
  }

  has(id: string): boolean {
    return this.#open.has(id)
  }

  /** @throws AppError not_found */
  get(id: string): EngineParts {
    return this.#find(id).parts
  }

  /** That a sandbox is on; the default one for what is not known. */
  ofSandbox(id: string): EngineParts {
    return this.get(this.#options.sandboxes.engineOf(id))
  }

  /** That sandboxes of a spec run on. @throws AppError not_found */
  async ofSpec(id: string): Promise<EngineParts> {
    return this.get(await this.#options.specs.engineOf(id))
  }

  /** The default one first. */
  list(): EngineEntry[] {
    return [...this.#open.keys()].map(id => this.entry(id))
  }

  /** @throws AppError not_found */
  entry(id: string): EngineEntry {
    const { parts, row } = this.#find(id)
    const status = parts.connection.status()
    const { all, running } = this.#options.sandboxes.count(id)
    return {
      id,
      name: row?.name ?? (status.state === 'ready' ? status.name : 'Docker'),
      kind: row?.address.kind ?? 'default',
      address: row ? textOf(row.address) : status.state === 'ready' ? status.endpoint : null,
      is_default: row === undefined,
      status,
      latency_ms: parts.connection.latencyMs(),
      sandboxes: all,
      running_sandboxes: running,
    }
  }

  /** Where all of them are, or are looked for, as in DOCKER_HOST. */
  hosts(): string[] {
    const rows = [...this.#open.values()].flatMap(({ row }) => row ?? [])
    return [...this.#used(), ...hostsOf(rows, this.#options.machine)]
  }

  #used(): string[] {
    return this.all().flatMap(({ connection }) => {
      const status = connection.status()
      return status.state === 'ready' ? [status.endpoint] : []
    })
  }

  async available(): Promise<AvailableEngine[]> {
    const { machine } = this.#options
    const clusters = await availableClusters(machine)
    const added = [...this.#open.values()].flatMap(({ row }) => row?.address ?? [])
    const all = [...availableEngines(machine, new Set(this.#used())), ...clusters]
    return all.filter(({ address }) => !added.some(each => isSameAddress(each, address)))
  }

  /** It is looked for without the caller. @throws AppError bad_request, conflict */
  async add(name: string, address: EngineAddress): Promise<EngineEntry> {
    await checkAddress(address, this.#options.machine)
    if (this.#open.size >= BOUNDS.engines.limit) {
      throw new AppError('conflict', `There are ${BOUNDS.engines.limit} engines already. Remove one first.`)
    }
    const same = [...this.#open.values()].find(({ row }) => row && isSameAddress(row.address, address))
    if (same)
      throw new AppError('conflict', `"${same.row?.name}" has this address already. Choose it in a sandbox spec.`)
    const row = { id: `engine-${randomToken(12)}`, createdAt: new Date().toISOString(), name, address }
    this.#options.table.insert(row)
    const parts = this.#add(row.id, row)
    this.#starting = Promise.all([this.#starting, this.#start(parts)])
    this.#publish(row.id)
    return this.entry(row.id)
  }

  /** @throws AppError not_found, conflict */
  rename(id: string, name: string): EngineEntry {
    const row = this.#added(id, 'renamed')
    this.#options.table.rename(id, name)
    row.name = name
    this.#publish(id)
    return this.entry(id)
  }

  /** Looks for it, or asks it for a sign of life. @throws AppError not_found */
  async check(id: string): Promise<EngineEntry> {
    await this.get(id).connection.recheck()
    return this.entry(id)
  }

  /**
   * With what is there of this Atelier besides sandboxes, where it answers.
   * @param forgetsSandboxes of one that does not answer, whose sandboxes stay there
   * @throws AppError not_found, conflict
   */
  async remove(id: string, forgetsSandboxes: boolean): Promise<void> {
    const { name } = this.#added(id, 'removed')
    const parts = this.get(id)
    const { specs, sandboxes, table, log } = this.#options
    // It may have some that were not listed yet.
    const held = await parts.sandboxes.held().catch(unlessAway)
    const answers = held !== undefined
    if (specs.choosesEngine(id)) {
      throw new AppError('conflict', `Sandbox specs run on "${name}". Choose another engine in them first.`)
    }
    const hasSandboxes = (answers && held.length > 0) || sandboxes.count(id).all > 0
    if (hasSandboxes && answers) throw new AppError('conflict', `"${name}" has sandboxes. Delete them first.`)
    if (hasSandboxes && !forgetsSandboxes) {
      throw new AppError(
        'conflict',
        `"${name}" has sandboxes, and does not answer. Start it and delete them, or forget them with forget_sandboxes.`,
      )
    }
    // From here on nobody finds it, nor removes it again.
    if (!this.#open.delete(id)) throw notThere(id)
    await parts.close()
    const problem = answers ? await problemOfClearing(CLEAR_MS, parts.clear()) : null
    if (problem !== null) log.warn({ engine: id, error: messageOf(problem) }, 'an engine could not be cleared')
    await parts.connection.close()
    this.#identities.delete(id)
    table.delete(id, answers && problem === null)
    this.#publish(id)
    log.info({ engine: id, name }, 'an engine was removed')
  }

  /** Closes after so long at the latest, with what is under way. */
  closeWithin(milliseconds: number): void {
    for (const { connection } of this.all()) connection.closeWithin(milliseconds)
  }

  async close(closeEngine: CloseEngine): Promise<void> {
    this.#isClosed = true
    await Promise.all(
      this.list().map(async entry => {
        const parts = this.get(entry.id)
        await closeEngine(entry, parts)
        await parts.connection.close()
      }),
    )
    await this.#starting
  }

  /** A slow one is followed later, unless it is not wanted any more by then. */
  async #start(parts: EngineParts): Promise<void> {
    await parts.connection.start()
    if (!this.#isClosed && this.#open.get(parts.id)?.parts === parts) await parts.start()
  }

  #add(id: string, row: EngineRow | undefined): EngineParts {
    const { bus, log, open } = this.#options
    const find = (signal: AbortSignal, round: number) => this.#search(id, row, { signal, round })
    const connection = new EngineConnection({ engineId: id, bus, log, find })
    // A latency is known before anybody asks for it.
    connection.subscribe({ onConnected: () => void connection.recheck(), onLost: () => {} })
    const parts = open(id, connection)
    this.#open.set(id, { parts, row })
    return parts
  }

  async #search(
    id: string,
    row: EngineRow | undefined,
    { signal, round }: { signal: AbortSignal; round: number },
  ): Promise<EngineSearch> {
    const { machine, ownImage } = this.#options
    this.#identities.delete(id)
    const found = row
      ? await searchAdded(row, { machine, signal, round, ownImage })
      : await findEngine(machine, signal, round)
    if (found.kind === 'none') return found
    const { identity } = found.info
    const other = [...this.#identities].find(([, each]) => each === identity)?.[0]
    if (other !== undefined && id !== DEFAULT_ENGINE) {
      this.#pass(id, other)
      await found.engine.close()
      const reason = `This is the same engine as "${this.entry(other).name}". Remove one of them.`
      return { kind: 'none', reason, steps: [], retryMs: SAME_RETRY_MS }
    }
    this.#identities.set(id, identity)
    // The default engine is what most needs it, and its sandboxes are there under that name too.
    if (other !== undefined) {
      this.#identities.delete(other)
      this.#open.get(other)?.parts.connection.leave()
      this.#pass(other, id)
    }
    return found
  }

  #pass(from: string, to: string): void {
    handOver(this.#open.get(from)?.parts, this.#open.get(to)?.parts, this.#options)
  }

  #find(id: string): Open {
    const found = this.#open.get(id)
    if (found) return found
    throw notThere(id)
  }

  #added(id: string, verb: string): EngineRow {
    const { row } = this.#find(id)
    if (row) return row
    throw isDefault(verb)
  }

  #publish(id: string): void {
    this.#options.bus.publish({ resource: 'engine', id })
  }
}
