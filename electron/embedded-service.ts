import { join } from 'node:path'
import type { Service } from '../server/composition/service.ts'
import type { Config } from '../server/config.ts'
import { APP_ORIGIN } from './addresses.ts'
import type { Connection } from './ipc.ts'
import { startKeychainProcess } from './keychain-process.ts'

export interface EmbeddedServiceOptions {
  config: Config
  defaultDataDir: string
  env: NodeJS.ProcessEnv
  version: string
  resourcesDir: string
  /** The bundled `keychain-process.js`. */
  keychainProcess: string
  /** Called whenever `activity` may say something else. */
  onActivity: () => void
  /** Which proxy the system has for an origin. */
  proxyOfSystem: (origin: string) => Promise<string>
}

/** Whose agents work, and whose wait for a person. */
export type Activity = ReturnType<Service['activity']>

export interface EmbeddedService extends Pick<Service, 'suspend' | 'resume' | 'busyTerminals'> {
  url: string
  connection(): Connection | Promise<Connection>
  activity(): Activity
  /** Makes a backup of the database before another version is installed. @returns its name */
  backUp(): Promise<string>
  /** Keeps a report of an error that ended it, without secrets. @returns where it is; null where it could not be kept */
  reportCrash(error: unknown): string | null
  logUnexpected(reason: unknown): void
  close(): Promise<void>
}

/**
 * The service's code is loaded here and not with the main process, so that the window is there first; the keychain is
 * asked meanwhile, in its own process.
 */
export async function startEmbeddedService(options: EmbeddedServiceOptions): Promise<EmbeddedService> {
  const [
    { createLog },
    { writeCrashReport, logUnexpected },
    { Closers, PROCESS_CLOSE_MS },
    { openVault },
    { openLocalApiKey },
  ] = await Promise.all([
    import('../server/log.ts'),
    import('../server/crash-reports.ts'),
    import('../server/composition/closers.ts'),
    import('../server/secret/vault/open.ts'),
    import('../server/secret/api-key.ts'),
  ])
  const { config, env, defaultDataDir, resourcesDir, version } = options
  const { dataDir, port, gatewayPort, previewPort, preparedSandboxes, logLevel } = config
  const stderr = env.ATELIER_LOG_STDERR === '1'
  const { log, close: closeLog, maskWith } = createLog({ folder: join(dataDir, 'logs'), level: logLevel, stderr })
  // Until the service knows the secrets there is nothing that is fit to be kept.
  let mask = (_: string) => ''
  const closers = new Closers(log, PROCESS_CLOSE_MS)
  closers.add('log', closeLog)
  try {
    const spawnChild = () => startKeychainProcess(options.keychainProcess)
    const opening = openVault({ spawnChild, dataDir, defaultDataDir, env, log })
    closers.add('keychain', async () => (await opening.catch(() => undefined))?.close())
    const [vault, { createService }, { findProxyOf }] = await Promise.all([
      opening,
      import('../server/composition/service.ts'),
      import('../server/outbound/proxies.ts'),
    ])
    const apiKey = await openLocalApiKey(vault, env, log)
    const service = await createService({
      dataDir,
      port,
      gatewayPort,
      previewPort,
      preparedSandboxes,
      resourcesDir,
      rendererDir: null,
      vault,
      apiKey,
      allowedOrigins: [APP_ORIGIN],
      version,
      storageAnswer: config.storageAnswer,
      onActivity: options.onActivity,
      findProxy: findProxyOf(options.proxyOfSystem),
      log,
      maskLog: given => {
        mask = given
        maskWith(given)
      },
    })
    closers.add('service', service.close)
    const key = service.windowKey()
    const connection = () => ({ url: service.url, key, sessionApiKey: apiKey.current() })
    return {
      url: service.url,
      connection,
      activity: service.activity,
      busyTerminals: service.busyTerminals,
      suspend: service.suspend,
      resume: service.resume,
      backUp: service.backUp,
      reportCrash: error => writeCrashReport(dataDir, error, { version, mask: text => mask(text), log }),
      logUnexpected: reason => logUnexpected(log, reason),
      close: closers.close,
    }
  } catch (error) {
    await closers.close()
    throw error
  }
}
