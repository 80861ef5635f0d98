import type { EmbeddedService } from './embedded-service.ts'
import type { Connection } from './ipc.ts'

export interface ServiceHost {
  /** Starts the service, or says where it is. A failed start is tried again by the next call. */
  connect(): Promise<Connection>
  /** Null until it runs. */
  url(): string | null
  /** How many agents work now. */
  working(): number
  close(): Promise<void>
}

export function createServiceHost(startService: () => Promise<EmbeddedService>): ServiceHost {
  let starting: Promise<EmbeddedService> | undefined
  let running: EmbeddedService | undefined
  let closed = false

  const start = async (): Promise<EmbeddedService> => {
    const started = await startService()
    if (!closed) return started
    await started.close()
    throw new Error('Atelier is ending.')
  }
  return {
    async connect() {
      starting ??= start()
      try {
        running = await starting
        return await running.connection()
      } catch (error) {
        starting = undefined
        throw error
      }
    },
    url: () => running?.url ?? null,
    working: () => running?.working() ?? 0,
    async close() {
      closed = true
      const started = await starting?.catch(() => undefined)
      await started?.close()
    },
  }
}
