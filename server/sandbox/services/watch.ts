import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { instanceLabels, LABEL } from '../../docker/container/labels.ts'
import type { Engine, EngineWatch } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import { listServices } from './engine-services.ts'

export interface ServiceWatchOptions {
  connection: Pick<EngineConnection, 'subscribe'>
  bus: Bus
  log: Log
  instanceId: string
  /** Whether a sandbox has, or had, services. */
  isKnown(sandboxId: string): boolean
  /** One of its services has begun to run, ended, or changed its health. */
  onService(sandboxId: string): void
  /** Lets its services be as the sandbox is. Never rejects. */
  follow(sandboxId: string): Promise<void>
}

/** Publishes what becomes of services, and lets them follow their sandboxes, also those that somebody else pauses or ends. */
export class ServiceWatch {
  readonly #options: ServiceWatchOptions
  #watch: EngineWatch | undefined
  #unsubscribe: (() => void)[] = []

  constructor(options: ServiceWatchOptions) {
    this.#options = options
  }

  start(): void {
    const { connection, bus, isKnown, follow } = this.#options
    this.#unsubscribe = [
      connection.subscribe({ onConnected: engine => this.#listen(engine), onLost: () => this.#watch?.close() }),
      bus.subscribe(change => {
        if (change.resource === 'sandbox' && isKnown(change.id)) void follow(change.id)
      }),
    ]
  }

  close(): void {
    for (const end of this.#unsubscribe) end()
    this.#watch?.close()
  }

  #listen(engine: Engine): void {
    const { onService, instanceId } = this.#options
    this.#watch?.close()
    this.#watch = engine.watch(instanceLabels(instanceId), {
      onContainer: ({ labels }) => {
        const id = labels[LABEL.sandbox]
        if (id && labels[LABEL.service]) onService(id)
      },
      onReconnect: () => void this.#followAll(engine),
      onDisconnect: () => {},
    })
  }

  /** Something may have happened while nobody listened: this process may have been killed, or the engine. */
  async #followAll(engine: Engine): Promise<void> {
    const { instanceId, follow, log } = this.#options
    try {
      const services = await listServices(engine, instanceLabels(instanceId))
      await Promise.all([...new Set(services.map(({ sandboxId }) => sandboxId))].map(follow))
    } catch (error) {
      if (isAppError(error, 'engine_unavailable')) return
      log.warn({ error: messageOf(error) }, 'services could not be looked at')
    }
  }
}
