import type { CreateTerminalBody, TerminalChanges, TerminalInfo } from '../api/v1/sandbox/terminals.ts'
import type { Bus, Change } from '../bus.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import { randomToken } from '../domain/ids.ts'
import type { Log } from '../log.ts'
import type { SandboxService } from '../sandbox/service.ts'
import { Terminal } from './terminal.ts'

interface Dependencies {
  sandboxes: Pick<SandboxService, 'open' | 'get' | 'batch'>
  bus: Bus
  log: Log
}

/** Somebody waits for the answer before the app quits. */
const ASK_ALL_MS = 2_000

/** The terminals of people: shells in sandboxes. They end with their sandbox, and all of them with the service. */
export class Terminals {
  readonly #dependencies: Dependencies
  readonly #all = new Map<string, Terminal>()
  readonly #closing = new AbortController()
  readonly #unsubscribe: () => void
  /** Called when a terminal is there no more. */
  readonly #onGone = new Map<string, Set<() => void>>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#unsubscribe = dependencies.bus.subscribe(change => this.#notice(change))
  }

  /** @throws AppError sandbox_not_found */
  async list(sandboxId: string): Promise<TerminalInfo[]> {
    await this.#dependencies.sandboxes.get(sandboxId)
    return this.#of(sandboxId)
      .filter(({ hasStarted }) => hasStarted)
      .map(terminal => terminal.info())
  }

  /** @throws AppError sandbox_not_found, sandbox_not_running, engine_unavailable, file_not_found, too_many_requests */
  async create(
    sandboxId: string,
    asked: Omit<CreateTerminalBody, 'conversation_id'>,
    signal: AbortSignal,
  ): Promise<TerminalInfo> {
    const sandbox = await this.#dependencies.sandboxes.open(sandboxId)
    this.#assertRoom(sandboxId)
    const id = randomToken(12)
    const { cols, rows, cwd = null, name = this.#freeName(sandboxId) } = asked
    const onChange = () => this.#publish(sandboxId)
    const terminal = new Terminal({ id, sandboxId, name, cwd, cols, rows, onChange })
    this.#all.set(id, terminal)
    try {
      await terminal.start(sandbox, AbortSignal.any([signal, this.#closing.signal]))
    } catch (error) {
      this.#forget(terminal)
      throw error
    }
    return terminal.info()
  }

  /** @throws AppError sandbox_not_found, not_found */
  async update(sandboxId: string, id: string, changes: TerminalChanges): Promise<TerminalInfo> {
    const terminal = await this.#find(sandboxId, id)
    terminal.update(changes)
    return terminal.info()
  }

  /** @throws AppError sandbox_not_found, sandbox_not_running, engine_unavailable, not_found, file_not_found, conflict */
  async restart(sandboxId: string, id: string, signal: AbortSignal): Promise<TerminalInfo> {
    const terminal = await this.#find(sandboxId, id)
    if (terminal.isRunning) throw new AppError('conflict', 'Its shell runs already. Type into it, or close it first.')
    const sandbox = await this.#dependencies.sandboxes.open(sandboxId)
    if (!terminal.isRunning) await terminal.start(sandbox, AbortSignal.any([signal, this.#closing.signal]))
    return terminal.info()
  }

  /** @throws AppError sandbox_not_found, not_found, conflict when it is to be idle and is not */
  async close(sandboxId: string, id: string, { ifIdle }: { ifIdle: boolean }): Promise<void> {
    const terminal = await this.#find(sandboxId, id)
    const program = ifIdle ? await terminal.program() : undefined
    if (program) throw new AppError('conflict', `${program} runs in this terminal. Close it all the same to end it.`)
    await terminal.close()
    this.#forget(terminal)
    this.#publish(sandboxId)
  }

  /** In how many of them a program runs that would end with it, as far as their sandboxes answer within two seconds. */
  async countBusy(): Promise<number> {
    const asked = [...this.#all.values()].map(terminal => terminal.program())
    const late = new Promise<undefined>(resolve => setTimeout(resolve, ASK_ALL_MS, undefined).unref())
    const programs = await Promise.all(asked.map(each => Promise.race([each, late])))
    return programs.filter(program => program !== undefined).length
  }

  /** undefined for an unknown one, and for one of another sandbox than `sandboxId`, where that is given. */
  get(id: string, sandboxId?: string): Terminal | undefined {
    const terminal = this.#all.get(id)
    return sandboxId === undefined || terminal?.sandboxId === sandboxId ? terminal : undefined
  }

  /** @returns a function that takes the listener back */
  onGone(id: string, listener: () => void): () => void {
    const listeners = this.#onGone.get(id) ?? new Set()
    this.#onGone.set(id, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Ends all shells: what is left of them in a sandbox would run without anybody who sees it. */
  async closeAll(): Promise<void> {
    this.#unsubscribe()
    this.#closing.abort()
    await Promise.all([...this.#all.values()].map(terminal => terminal.close()))
    this.#all.clear()
  }

  #of(sandboxId: string): Terminal[] {
    return [...this.#all.values()].filter(terminal => terminal.sandboxId === sandboxId)
  }

  async #find(sandboxId: string, id: string): Promise<Terminal> {
    await this.#dependencies.sandboxes.get(sandboxId)
    const terminal = this.get(id, sandboxId)
    if (terminal) return terminal
    throw new AppError('not_found', 'There is no such terminal in this sandbox. It may have been closed.')
  }

  #assertRoom(sandboxId: string): void {
    const here = this.#of(sandboxId).length >= BOUNDS.terminals.limit
    if (!here && this.#all.size < BOUNDS.allTerminals.limit) return
    const count = here
      ? `${BOUNDS.terminals.limit} terminals in this sandbox`
      : `${BOUNDS.allTerminals.limit} terminals`
    throw new AppError('too_many_requests', `There are ${count} already. Close one, then open another.`)
  }

  /** The first number that is free. */
  #freeName(sandboxId: string): string {
    const taken = new Set(this.#of(sandboxId).map(({ name }) => name))
    let number = 1
    while (taken.has(`Terminal ${number}`)) number++
    return `Terminal ${number}`
  }

  #publish(sandboxId: string): void {
    this.#dependencies.bus.publish({ resource: 'terminals', id: sandboxId })
  }

  #forget(terminal: Terminal): void {
    this.#all.delete(terminal.id)
    for (const listener of this.#onGone.get(terminal.id) ?? []) listener()
    this.#onGone.delete(terminal.id)
  }

  #notice(change: Change): void {
    if (change.resource !== 'sandbox' || this.#of(change.id).length === 0) return
    this.#forgetOfRemoved(change.id).catch(error =>
      this.#dependencies.log.warn({ sandbox: change.id, error: messageOf(error) }, 'terminals could not be looked at'),
    )
  }

  async #forgetOfRemoved(sandboxId: string): Promise<void> {
    const [sandbox] = await this.#dependencies.sandboxes.batch([sandboxId])
    if (sandbox && sandbox.status !== 'MISSING') return
    const gone = this.#of(sandboxId)
    for (const terminal of gone) this.#forget(terminal)
    await Promise.all(gone.map(terminal => terminal.close()))
  }
}
