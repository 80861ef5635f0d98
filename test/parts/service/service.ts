import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { SettingsPatch } from '../../../server/api/v1/settings/settings.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { type Client, createClient } from '../../../server/client/client.ts'
import { createService, type Service } from '../../../server/composition/service.ts'
import { randomToken } from '../../../server/domain/ids.ts'
import { findProxyOf } from '../../../server/outbound/proxies.ts'
import { LocalApiKey } from '../../../server/secret/api-key.ts'
import { createSessionVault } from '../../../server/secret/vault/session.ts'
import type { Vault } from '../../../server/secret/vault/vault.ts'
import { removeSandboxesOf } from '../engine/containers.ts'
import { strictClient } from '../operation/named-failures.ts'
import { projectFolder } from '../project-folder.ts'
import { endRuns } from './end-runs.ts'
import { openServices } from './open-services.ts'

export interface TestService {
  url: string
  key: string
  client: Client
  service: Service
  dataDir: string
  /** Closes and opens again on the same data folder, with the same key. `between` runs while it is closed. */
  restart(between?: () => void | Promise<void>): Promise<void>
  /** Closes, and removes its sandboxes and its folder. */
  close(): Promise<void>
}

export interface TestServiceOptions {
  settings?: SettingsPatch
  vault?: Vault
  /** As if SESSION_API_KEY had been set. */
  givenKey?: boolean
  /** Where the build's resources are, if not where the build puts them. */
  resourcesDir?: string
  /** How many sandboxes it prepares at most; none, if it is not about them. */
  preparedSandboxes?: number
  /** It stays the caller's. */
  dataDir?: string
}

/** The whole service with real SQLite and the real engine; only the model is scripted, and the vault is memory. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'atelier-service-'))
  const key = randomToken(32)
  const vault = options.vault ?? createSessionVault({ state: 'missing', reason: 'This is a test.' })
  const open = () =>
    createService({
      dataDir,
      userHome: join(dataDir, 'home'),
      port: 0,
      gatewayPort: 0,
      previewPort: 0,
      preparedSandboxes: options.preparedSandboxes ?? 0,
      resourcesDir: options.resourcesDir ?? join(projectFolder, 'out/resources'),
      rendererDir: null,
      vault,
      apiKey: new LocalApiKey(key, vault, { given: options.givenKey ?? false }),
      allowedOrigins: [],
      findProxy: findProxyOf(),
      version: '0.0.0-test',
      log: pino({ level: process.env.ATELIER_TEST_LOG ?? 'silent' }, process.stderr),
    })
  const service = await open()
  let windowKey = service.windowKey()
  const openedAt = new Error('here').stack ?? ''
  const opened = { openedAt, endRuns: () => endRuns(running.service, windowKey) }
  openServices.add(opened)
  let isClosed = false
  const running: TestService = {
    service,
    url: service.url,
    key,
    dataDir,
    client: strictClient(createClient({ url: service.url, key, validate: true })),
    restart: async between => {
      openServices.delete(opened)
      await running.service.close()
      await between?.()
      running.service = await open()
      // A test that is given up goes on, and nobody would close what it opens now.
      if (isClosed) return running.service.close()
      windowKey = running.service.windowKey()
      openServices.add(opened)
      running.url = running.service.url
      running.client = strictClient(createClient({ url: running.url, key, validate: true }))
    },
    close: async () => {
      isClosed = true
      openServices.delete(opened)
      await running.service.close()
      await removeSandboxesOf(dataDir)
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
    },
  }
  try {
    if (options.settings) await running.client.call(storeSettingsV1, { body: options.settings })
  } catch (error) {
    // Nobody else can close what was never returned.
    await running.close()
    throw error
  }
  return running
}
