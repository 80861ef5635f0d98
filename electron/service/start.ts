import { join } from 'node:path'
import { Closers, PROCESS_CLOSE_MS } from '../../server/composition/closers.ts'
import { logUnexpected, writeCrashReport } from '../../server/crash-reports.ts'
import { createLog } from '../../server/log.ts'
import { openLocalApiKey } from '../../server/secret/api-key.ts'
import type { ChildPort } from '../../server/secret/keychain/child-port.ts'
import { openVault } from '../../server/secret/vault/open.ts'
import { APP_ORIGIN } from '../addresses.ts'
import type { Connection } from '../ipc.ts'
import { type Activity, type AtWork, agentsOf, type ServiceStart } from './calls.ts'

export interface LocalServiceOptions extends ServiceStart {
  env: NodeJS.ProcessEnv
  spawnKeychain: () => ChildPort
  /** Called whenever `activity` may say something else. */
  onActivity: () => void
  /** Called before and after the database is opened anew. */
  onReopening: (isReopening: boolean) => void
  /** Which proxy the system has for an origin. */
  proxyOfSystem: (origin: string) => Promise<string>
  /** Called before the service runs, as its start may crash too. */
  onReports: (reports: Reports) => void
}

/** What is written down of errors, without the secrets that are known by then. */
export interface Reports {
  /** @returns where the report is; null where it could not be kept */
  crash(error: unknown): string | null
  unexpected(reason: unknown): void
}

export interface LocalService {
  url: string
  connection(): Connection
  activity(): Activity
  atWork(): Promise<AtWork>
  /** @returns the name of the backup */
  backUp(): Promise<string>
  suspend(): void
  resume(): void
  close(): Promise<void>
}

/** The service with the keychain of this computer. The keychain is asked while the service's code is loaded. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { config, env, defaultDataDir, resourcesDir, version } = options
  const { dataDir, port, gatewayPort, previewPort, preparedSandboxes, logLevel } = config
  const stderr = env.ATELIER_LOG_STDERR === '1'
  const { log, close: closeLog, maskWith } = createLog({ folder: join(dataDir, 'logs'), level: logLevel, stderr })
  // Until the service knows the secrets there is nothing that is fit to be kept.
  let mask = (_: string) => ''
  options.onReports({
    crash: error => writeCrashReport(dataDir, error, { version, mask: text => mask(text), log }),
    unexpected: reason => logUnexpected(log, reason),
  })
  const closers = new Closers(log, PROCESS_CLOSE_MS)
  closers.add('log', closeLog)
  try {
    const opening = openVault({ spawnChild: options.spawnKeychain, dataDir, defaultDataDir, env, log })
    closers.add('keychain', async () => (await opening.catch(() => undefined))?.close())
    const [vault, { createService }, { findProxyOf }] = await Promise.all([
      opening,
      import('../../server/composition/service.ts'),
      import('../../server/outbound/proxies.ts'),
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
      onReopening: options.onReopening,
      findProxy: findProxyOf(options.proxyOfSystem),
      log,
      maskLog: given => {
        mask = given
        maskWith(given)
      },
    })
    closers.add('service', service.close)
    const key = service.windowKey()
    return {
      url: service.url,
      connection: () => ({ url: service.url, key, sessionApiKey: apiKey.current() }),
      activity: service.activity,
      atWork: async () => ({ agents: agentsOf(service.activity()), terminals: await service.busyTerminals() }),
      suspend: service.suspend,
      resume: service.resume,
      backUp: service.backUp,
      close: closers.close,
    }
  } catch (error) {
    await closers.close()
    throw error
  }
}
