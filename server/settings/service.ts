import { DEFAULT_SETTINGS, type SettingsPatch, type SettingsReply, settingsFields } from '../api/settings.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../errors.ts'
import type { ModelChoice } from '../llm/completion.ts'
import { resolveModel } from '../llm/provider.ts'
import type { Mask } from '../secret/mask.ts'
import type { Vault } from '../secret/vault.ts'
import type { SettingTable } from '../store/settings.ts'

/** These live in the vault, never in the database. */
const KEYS = ['llm_api_key', 'search_api_key', 'sandbox_api_key'] as const
type Key = (typeof KEYS)[number]

/** What clients show in place of a key; it means "keep". */
const MASK = /^\*+$/

export type Settings = Omit<SettingsReply, `${string}_set` | Key | 'secrets_store'>

export class SettingsService {
  readonly #table: SettingTable
  readonly #vault: Vault
  readonly #mask: Pick<Mask, 'add'>
  readonly #bus: Bus

  /** Keys that are read are told to the mask, so that no output shows them. */
  constructor(dependencies: { table: SettingTable; vault: Vault; mask: Pick<Mask, 'add'>; bus: Bus }) {
    this.#table = dependencies.table
    this.#vault = dependencies.vault
    this.#mask = dependencies.mask
    this.#bus = dependencies.bus
  }

  /** Stored fields over the defaults; null where nothing is stored. */
  read(): Settings {
    const stored = this.#table.read()
    const fields = Object.keys(settingsFields).filter(name => !isKey(name) && name !== 'secrets_store')
    const values = fields.map(name => [name, stored[name] ?? defaultOf(name)])
    return Object.fromEntries(values) as Settings
  }

  /** @throws AppError settings_not_found before the first save */
  async reply(): Promise<SettingsReply> {
    if (Object.keys(this.#table.read()).length === 0) {
      throw new AppError('settings_not_found', 'Settings not found')
    }
    return {
      ...this.read(),
      llm_api_key: null,
      search_api_key: null,
      sandbox_api_key: null,
      secrets_store: { provider_tokens: {} },
      provider_tokens_set: {},
      llm_api_key_set: await this.#isSet('llm_api_key'),
      search_api_key_set: await this.#isSet('search_api_key'),
      sandbox_api_key_set: await this.#isSet('sandbox_api_key'),
    }
  }

  exist(): boolean {
    return Object.keys(this.#table.read()).length > 0
  }

  /**
   * Field by field: absent keeps, null clears. For keys null keeps and "" clears. Keys are written first, so that a
   * locked keychain refuses the whole save instead of half of it.
   */
  async save(patch: SettingsPatch): Promise<void> {
    for (const name of KEYS) await this.#saveKey(name, patch[name])
    const fields = Object.entries(patch).filter(
      ([name, value]) => value !== undefined && !isKey(name) && name !== 'secrets_store',
    )
    this.#table.write({ ...Object.fromEntries(fields), saved: true })
    this.#bus.publish({ resource: 'settings' })
  }

  /** How to reach the model now; `model` wins over the stored name. @throws AppError model_not_set */
  async modelChoice(model: string | null): Promise<ModelChoice> {
    const settings = this.read()
    const name = model ?? settings.llm_model
    if (!name) throw new AppError('model_not_set', 'No model is set up. Choose one in Settings › Model.')
    const apiKey = await this.#vault.get('llm_api_key')
    if (apiKey) this.#mask.add(apiKey)
    return { model: name, baseUrl: settings.llm_base_url || null, apiKey }
  }

  /** Whether the model's provider wants a key and none is stored. @throws AppError model_not_set */
  async lacksModelKey(): Promise<boolean> {
    const choice = await this.modelChoice(null)
    return !choice.apiKey && resolveModel(choice).provider.needsKey
  }

  async #saveKey(name: Key, value: string | null | undefined): Promise<void> {
    if (value === undefined || value === null || MASK.test(value)) return
    const key = value.trim()
    if (key === '') await this.#vault.delete(name)
    else await this.#vault.set(name, key)
  }

  /** A keychain that does not answer means "not known to be set"; its state is shown elsewhere. */
  async #isSet(name: Key): Promise<boolean> {
    try {
      return Boolean(await this.#vault.get(name))
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }
}

function isKey(name: string): name is Key {
  return (KEYS as readonly string[]).includes(name)
}

function defaultOf(name: string): unknown {
  const defaults: Record<string, unknown> = DEFAULT_SETTINGS
  return name.startsWith('enable_') ? defaults[name] : null
}
