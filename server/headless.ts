import { join } from 'node:path'
import { settledWithin } from './async/settled-within.ts'
import { Closers, PROCESS_CLOSE_MS } from './composition/closers.ts'
import { createService } from './composition/service.ts'
import { readConfig } from './config.ts'
import { writeCrashReport } from './crash-reports.ts'
import { defaultDataDir } from './data-dir.ts'
import { createLog } from './log.ts'
import { findProxyOf } from './outbound/proxies.ts'
import { openLocalApiKey } from './secret/api-key.ts'
import type { ChildPort } from './secret/keychain/child-port.ts'
import { openVault } from './secret/vault/open.ts'

export interface HeadlessOptions {
  /** Folder of the bundle. */
  out: string
  version: string
  /** Where the build's resources are, if not in the bundle. */
  resourcesDir?: string
  startKeychainProcess: () => ChildPort
}

/**
 * The service without a window, until SIGTERM or SIGINT end the process. stdout carries one line when it is ready;
 * everything else goes to stderr.
 */
export async function serveHeadless({
  out,
  version,
  resourcesDir,
  startKeychainProcess,
}: HeadlessOptions): Promise<void> {
  const config = readConfig(process.env)
  const { log, close, maskWith } = createLog({
    folder: join(config.dataDir, 'logs'),
    level: config.logLevel,
    stderr: true,
  })
  let mask = (_: string) => ''
  endWhenUnexpected(close, error => writeCrashReport(config.dataDir, error, { version, mask: text => mask(text), log }))
  const closers = new Closers(log, PROCESS_CLOSE_MS)
  closers.add('log', close)
  const { dataDir, port, gatewayPort, previewPort, preparedSandboxes } = config
  const start = async () => {
    const vault = await openVault({
      spawnChild: startKeychainProcess,
      dataDir,
      defaultDataDir: defaultDataDir(),
      env: process.env,
      log,
    })
    closers.add('keychain', vault.close)
    const service = await createService({
      dataDir,
      port,
      gatewayPort,
      previewPort,
      preparedSandboxes,
      resourcesDir: process.env.ATELIER_RESOURCES_DIR ?? resourcesDir ?? join(out, 'resources'),
      rendererDir: join(out, 'renderer'),
      vault,
      apiKey: await openLocalApiKey(vault, process.env, log),
      allowedOrigins: [],
      findProxy: findProxyOf(),
      version,
      storageAnswer: config.storageAnswer,
      log,
      maskLog: given => {
        mask = given
        maskWith(given)
      },
    })
    closers.add('service', service.close)
    return { service, vault }
  }
  const { service, vault } = await start().catch(async error => {
    await closers.close()
    throw error
  })
  closeOnSignal(closers.close)
  if (service.question) process.stderr.write(`${service.question.message} ${storageQuestionMessage(service.url)}\n`)
  if (service.question && config.loginLink) process.stderr.write(`Decide in a browser: ${service.loginLink()}\n`)
  await service.ready
  process.stdout.write(`${JSON.stringify({ url: service.url, gateway_url: service.gatewayUrl })}\n`)
  if (config.loginLink) process.stderr.write(`Open Atelier in a browser: ${service.loginLink()}\n`)
  else if (!config.sessionApiKey && (await vault.status()).storage === 'session-only') process.stderr.write(NO_KEY)
}

/** For the log to be written out. */
const LOG_FLUSH_MS = 1000

function storageQuestionMessage(url: string): string {
  return `Nothing was changed. Set ATELIER_DATABASE to restore (the newest backup), adopt (a new database that keeps the sandboxes) or new, and start again; or decide at ${url}/api/v1/storage/answer.`
}

const NO_KEY =
  'There is no keychain, so nobody but this process knows the API key of this run. Set SESSION_API_KEY to use the API, or ATELIER_LOGIN_LINK=1 for a browser.\n'

/** What nobody expected ends the process, as it would anyway, but no value of a secret is printed with it. */
function endWhenUnexpected(closeLog: () => Promise<void>, report: (error: unknown) => void): void {
  process.once('uncaughtException', error => {
    report(error)
    void settledWithin(LOG_FLUSH_MS, closeLog()).finally(() => process.exit(1))
  })
}

/** @param close never rejects */
function closeOnSignal(close: () => Promise<void>): void {
  let closing = false
  const onSignal = () => {
    if (closing) return
    closing = true
    void close().then(() => process.exit(0))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
