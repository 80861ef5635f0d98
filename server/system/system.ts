import type { KeychainStatus, LocalModelServer, ModelTest, SystemStatus } from '../api/v1/system/system.ts'
import type { Bus } from '../bus.ts'
import type { DiskWatch } from '../disk/space.ts'
import type { EngineConnection } from '../docker/connection.ts'
import type { ModelChoice } from '../llm/completion.ts'
import { knownModels } from '../llm/cost.ts'
import { detectLocalServers, testModel } from '../llm/probe.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SandboxImages } from '../sandbox/image.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { WatchedVault } from '../secret/vault/watched.ts'
import type { SettingsService } from '../settings/service.ts'

interface Dependencies {
  version: string
  dataDir: string
  /** Paths of it that could not be closed to other users. */
  openToOthers: () => readonly string[]
  disk: DiskWatch
  engineDisk: DiskWatch
  url: () => string
  gatewayUrl: () => string | null
  connection: EngineConnection
  images: SandboxImages
  sandboxes: SandboxService
  vault: WatchedVault
  settings: SettingsService
  outbound: Outbound
  bus: Bus
}

/** What the service stands on: engine, image, keychain, models. */
export class SystemService {
  readonly #dependencies: Dependencies
  #keychain: { status: KeychainStatus; at: number } | undefined
  #keychainDoubts = 0

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    dependencies.vault.onTurn(() => {
      this.#doubtKeychain()
      dependencies.bus.publish({ resource: 'system' })
    })
  }

  async status(): Promise<SystemStatus> {
    const { version, dataDir, disk, engineDisk, url, gatewayUrl, connection, images, sandboxes } = this.#dependencies
    return {
      version,
      platform: process.platform,
      url: url(),
      gateway_url: gatewayUrl(),
      data_dir: dataDir,
      data_dir_open: this.#dependencies.openToOthers().length > 0,
      disk: disk.status(),
      engine_disk: engineDisk.status(),
      engine: connection.status(),
      sandbox_image: images.status(),
      keychain: await this.#keychainStatus(),
      running_sandboxes: sandboxes.count().running,
    }
  }

  async recheck(): Promise<SystemStatus> {
    this.#doubtKeychain()
    const { connection, images, disk, engineDisk } = this.#dependencies
    await Promise.all([connection.recheck(), disk.check(), engineDisk.check()])
    images.loadAgain()
    this.#dependencies.bus.publish({ resource: 'system' })
    return this.status()
  }

  /** Waits for the person at the desktop's own prompt; what came of it stands in the reply. */
  async unlockKeychain(signal: AbortSignal): Promise<SystemStatus> {
    this.#learn(await this.#dependencies.vault.requestUnlock(signal))
    this.#dependencies.bus.publish({ resource: 'system' })
    return this.status()
  }

  detectModels(signal: AbortSignal): Promise<LocalModelServer[]> {
    return detectLocalServers({ outbound: this.#dependencies.outbound, signal })
  }

  /** Absent fields come from the settings; a stored key is used only where it goes anyway. */
  async testModel(
    asked: {
      llm_model?: string | null | undefined
      llm_base_url?: string | null | undefined
      llm_api_key?: string | null | undefined
    },
    signal: AbortSignal,
  ): Promise<ModelTest> {
    const { settings, outbound } = this.#dependencies
    const stored = await settings.modelChoice(asked.llm_model ?? null)
    const baseUrl =
      asked.llm_base_url === undefined || asked.llm_base_url === null ? stored.baseUrl : asked.llm_base_url || null
    const choice: ModelChoice = { model: stored.model, baseUrl, apiKey: asked.llm_api_key || null, namedBy: 'person' }
    return testModel({ ...choice, apiKey: choice.apiKey ?? (await settings.keyAt(choice)) }, { outbound, signal })
  }

  knownModels() {
    return knownModels()
  }

  /** Asked again after a while, since people lock and unlock keyrings. */
  async #keychainStatus(): Promise<KeychainStatus> {
    const known = this.#keychain
    if (known && Date.now() - known.at < KEYCHAIN_KNOWN_MS) return known.status
    const doubts = this.#keychainDoubts
    const status = await this.#dependencies.vault.status()
    // It may have been asked before it turned.
    if (doubts !== this.#keychainDoubts) return this.#keychainStatus()
    this.#learn(status)
    return status
  }

  #doubtKeychain(): void {
    this.#keychainDoubts += 1
    if (this.#keychain) this.#keychain.at = 0
  }

  /** Which keys are set is known only while the keychain is open. */
  #learn(status: KeychainStatus): void {
    const before = this.#keychain?.status.state
    this.#keychain = { status, at: Date.now() }
    if (before !== undefined && before !== status.state) this.#dependencies.bus.publish({ resource: 'settings' })
  }
}

const KEYCHAIN_KNOWN_MS = 5_000
