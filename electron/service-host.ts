import type { readConfig } from '../server/config.ts'
import type { Service } from '../server/service.ts'
import { APP_ORIGIN } from './addresses.ts'
import type { Connection } from './ipc.ts'
import { startKeychainProcess } from './keychain-process.ts'

export type Config = ReturnType<typeof readConfig>

export interface ServiceHost {
  /** Starts the service, or says where it is. A failed start is tried again by the next call. */
  connect(): Promise<Connection>
  /** Null until it runs. */
  url(): string | null
  close(): Promise<void>
}

export interface ServiceHostOptions {
  config: Config
  defaultDataDir: string
  env: NodeJS.ProcessEnv
  version: string
  resourcesDir: string
  /** The bundled `keychain-process.js`. */
  keychainProcess: string
}

interface Running {
  connection: Connection
  close(): Promise<void>
}

export function createServiceHost(options: ServiceHostOptions): ServiceHost {
  let starting: Promise<Running> | undefined
  let running: Running | undefined
  let closed = false

  const start = async (): Promise<Running> => {
    const started = await startService(options)
    if (!closed) return started
    await started.close()
    throw new Error('Atelier is ending.')
  }
  return {
    async connect() {
      starting ??= start()
      try {
        running = await starting
        return running.connection
      } catch (error) {
        starting = undefined
        throw error
      }
    },
    url: () => running?.connection.url ?? null,
    async close() {
      closed = true
      const started = await starting?.catch(() => undefined)
      await started?.close()
    },
  }
}

/** The service's code is loaded here and not with the main process, so that the window is there first. */
async function startService(options: ServiceHostOptions): Promise<Running> {
  const { config, env, defaultDataDir } = options
  const [{ createService }, { openVault }, { loadSessionApiKey }] = await Promise.all([
    import('../server/service.ts'),
    import('../server/secret/open-vault.ts'),
    import('../server/secret/api-key.ts'),
  ])
  const log = stderrLog(env)
  const spawnChild = () => startKeychainProcess(options.keychainProcess)
  const vault = await openVault({ spawnChild, dataDir: config.dataDir, defaultDataDir, env, log })
  let service: Service
  let sessionApiKey: string
  try {
    sessionApiKey = await loadSessionApiKey(vault, env, log)
    service = await createService({
      ...config,
      resourcesDir: options.resourcesDir,
      rendererDir: null,
      vault,
      sessionApiKey,
      allowedOrigins: [APP_ORIGIN],
      version: options.version,
    })
  } catch (error) {
    await vault.close()
    throw error
  }
  return {
    connection: { url: service.url, sessionApiKey },
    close: async () => {
      await service.close()
      await vault.close()
    },
  }
}
