import type { Duplex } from 'node:stream'
import type { SandboxPort, SandboxProxy } from '../api/v1/sandbox/ports.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import type { Destination } from '../domain/port-closed.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { onSandboxGone } from '../sandbox/engine/gone.ts'
import type { SandboxService } from '../sandbox/service.ts'
import { isSameKey } from '../secret/same-key.ts'
import { hostLabel, portIn, proxyPassword, type Target } from './host-names.ts'
import { readListeners, readPrograms } from './listening.ts'

/** Where previews are served: one port of this machine for all of them. */
export interface PreviewServer {
  port: number
  close(): Promise<void>
}

interface Dependencies {
  sandboxes: Pick<SandboxService, 'get' | 'look' | 'open' | 'search' | 'batch'>
  bus: Pick<Bus, 'subscribe'>
  /** The app's own key. */
  key: () => string
  /** Not before somebody asks for an address. */
  serve: (previews: Previews) => Promise<PreviewServer>
}

/** What listens in the sandboxes, and the ways on which a browser of this machine sees it. */
export class Previews {
  readonly #dependencies: Dependencies
  readonly #programs = new Map<string, Map<string, string | null>>()
  /** As they were last. */
  readonly #ports = new Map<string, SandboxPort[]>()
  readonly #targets = new Map<string, Target>()
  readonly #unsubscribe: () => void
  #server: Promise<PreviewServer> | undefined

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    const { bus, sandboxes } = dependencies
    this.#unsubscribe = onSandboxGone({ bus, batch: ids => sandboxes.batch(ids) }, id => this.#forgetSandbox(id))
  }

  /**
   * Without `wake` it is no use of the sandbox, which is paused in its time although somebody asks now and then. What is paused
   * listens where it did before.
   * @throws AppError sandbox_not_found, sandbox_not_running, engine_unavailable
   */
  async ports(sandboxId: string, { wake, signal }: { wake: boolean; signal: AbortSignal }): Promise<SandboxPort[]> {
    const { sandboxes } = this.#dependencies
    const read = (sandbox: SandboxHandle) => this.#portsIn(sandbox, signal)
    const found = wake ? await read(await sandboxes.open(sandboxId)) : await sandboxes.look(sandboxId, read)
    const ports = found ?? this.#ports.get(sandboxId)
    if (!ports) throw new AppError('sandbox_not_running', 'The sandbox is paused. Ask with `wake` to resume it.')
    this.#ports.set(sandboxId, ports)
    return ports
  }

  /** The address of a port for a browser, whether or not something listens there. @throws AppError sandbox_not_found */
  async address(target: Target): Promise<string> {
    await this.#dependencies.sandboxes.get(target.sandboxId)
    const label = hostLabel(this.#dependencies.key(), target)
    this.#targets.set(label, target)
    const { port } = await this.#served()
    return `http://${label}.localhost:${port}/`
  }

  /** @returns what a name stands for; undefined for one that was never given out, or with an earlier key */
  async targetOf(label: string): Promise<Target | undefined> {
    const known = this.#targets.get(label)
    const port = portIn(label)
    if (known || port === undefined) return known
    for await (const sandboxId of this.#ids()) {
      const target = { sandboxId, port }
      if (isSameKey(hostLabel(this.#dependencies.key(), target), label)) {
        this.#targets.set(label, target)
        return target
      }
    }
    return undefined
  }

  /** A proxy of HTTP into the network of a sandbox, in which `localhost` is the sandbox. @throws AppError sandbox_not_found */
  async proxy(sandboxId: string): Promise<SandboxProxy> {
    const { id } = await this.#dependencies.sandboxes.get(sandboxId)
    const { port } = await this.#served()
    return { url: `http://127.0.0.1:${port}`, username: id, password: proxyPassword(this.#dependencies.key(), id) }
  }

  /** @returns the sandbox whose proxy has this name and password, whether or not it is still there */
  proxiedBy(asked: Pick<SandboxProxy, 'username' | 'password'> | undefined): string | undefined {
    if (!asked) return undefined
    const password = proxyPassword(this.#dependencies.key(), asked.username)
    return isSameKey(password, asked.password) ? asked.username : undefined
  }

  /** @throws PortClosed; AppError sandbox_not_found, sandbox_not_running, engine_unavailable, engine_failed */
  async connect(sandboxId: string, destination: Destination, signal: AbortSignal): Promise<Duplex> {
    const sandbox = await this.#dependencies.sandboxes.open(sandboxId)
    return sandbox.connect(destination, signal)
  }

  /** With another key all addresses are others, and what is open ends. */
  async forget(): Promise<void> {
    this.#targets.clear()
    await this.#end()
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#end()
  }

  async #end(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    await (await server?.catch(() => undefined))?.close()
  }

  #forgetSandbox(id: string): void {
    this.#programs.delete(id)
    this.#ports.delete(id)
    for (const [label, { sandboxId }] of this.#targets) if (sandboxId === id) this.#targets.delete(label)
  }

  #served(): Promise<PreviewServer> {
    if (this.#server) return this.#server
    const server = this.#dependencies.serve(this)
    this.#server = server
    server.catch(() => {
      this.#server = undefined
    })
    return server
  }

  async #portsIn(sandbox: SandboxHandle, signal: AbortSignal): Promise<SandboxPort[]> {
    const listeners = await readListeners(sandbox, signal)
    const before = this.#programs.get(sandbox.id)
    const isKnown = listeners.every(({ inode }) => before?.has(inode))
    const found = isKnown ? before : await readPrograms(sandbox, signal)
    const programs = new Map(listeners.map(({ inode }) => [inode, found?.get(inode) ?? null]))
    this.#programs.set(sandbox.id, programs)
    return listeners.map(({ port, inode }) => ({ port, program: programs.get(inode) ?? null }))
  }

  async *#ids(): AsyncGenerator<string> {
    let page_id: string | null | undefined
    do {
      const { items, next_page_id } = await this.#dependencies.sandboxes.search({
        limit: 100,
        ...(page_id && { page_id }),
      })
      yield* items.map(({ id }) => id)
      page_id = next_page_id
    } while (page_id)
  }
}
