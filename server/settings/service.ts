import { KEY_MASK } from '../api/contract/hidden-values.ts'
import { type ModelOptions, modelOptions } from '../api/model-options.ts'
import { forEachKey, KEY_FIELDS, type KeyField } from '../api/v1/settings/key-fields.ts'
import { type McpConfig, mcpConfig } from '../api/v1/settings/mcp.ts'
import {
  DEFAULT_SETTINGS,
  type LegacySettingsReply,
  type SettingsPatch,
  type SettingsReply,
  settingsFields,
} from '../api/v1/settings/settings.ts'
import type { Bus } from '../bus.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import type { ModelChoice } from '../llm/completion.ts'
import { resolveModel } from '../llm/provider.ts'
import { toHost } from '../outbound/address.ts'
import { isMasked } from '../secret/mask/input.ts'
import type { Mask } from '../secret/mask/mask.ts'
import type { SecretStore } from '../secret/user-secrets.ts'
import type { Vault } from '../secret/vault/vault.ts'
import type { SettingTable } from '../store/settings.ts'
import { addressOf, targetOf } from './model-address.ts'
import { modelPriceKnown } from './price.ts'

/** Its servers carry keys and environments, so the whole of it goes to the vault too, as JSON. */
const TOOL_SERVERS = 'mcp_config'
type Kept = KeyField | typeof TOOL_SERVERS

export type Settings = Omit<SettingsReply, `${string}_set` | 'llm_price_known' | Kept | 'secrets_store'>

export class SettingsService {
  readonly #table: SettingTable
  readonly #vault: Vault
  readonly #mask: Pick<Mask, 'add'>
  readonly #bus: Bus
  readonly #secrets: Pick<SecretStore, 'merge' | 'tokens'>

  /** Keys that are read are added to the mask, so that no output shows them. */
  constructor(dependencies: {
    table: SettingTable
    vault: Vault
    mask: Pick<Mask, 'add'>
    bus: Bus
    secrets: Pick<SecretStore, 'merge' | 'tokens'>
  }) {
    this.#table = dependencies.table
    this.#vault = dependencies.vault
    this.#mask = dependencies.mask
    this.#bus = dependencies.bus
    this.#secrets = dependencies.secrets
  }

  /** Stored fields over the defaults; null where nothing is stored. */
  read(): Settings {
    const stored = this.#table.read()
    const fields = Object.keys(settingsFields).filter(name => !isKept(name) && name !== 'secrets_store')
    const values = fields.map(name => [name, stored[name] ?? defaultOf(name)])
    const { allowed_hosts, prepare_sandboxes, pause_idle_after } = stored
    const { max_running_sandboxes = null, event_dialect = null } = stored
    const { archive_after_days = null, delete_after_days = null } = stored
    const llm_options = optionsOf(stored.llm_options)
    const own = {
      allowed_hosts: allowed_hosts ?? [],
      prepare_sandboxes: prepare_sandboxes ?? DEFAULT_SETTINGS.prepare_sandboxes,
      pause_idle_after: pause_idle_after ?? DEFAULT_SETTINGS.pause_idle_after,
      max_running_sandboxes,
      archive_after_days,
      delete_after_days,
      event_dialect,
      llm_options,
    }
    return { ...Object.fromEntries(values), ...own } as Settings
  }

  /** @throws AppError settings_not_found before the first save */
  async reply(): Promise<SettingsReply> {
    if (Object.keys(this.#table.read()).length === 0) {
      throw new AppError('settings_not_found', 'Settings not found')
    }
    return {
      ...this.read(),
      llm_price_known: modelPriceKnown(this.read()),
      ...(await this.#toolServers()),
      ...forEachKey(() => null),
      secrets_store: { provider_tokens: {} },
      provider_tokens_set: await this.#secrets.tokens.hosts(),
      llm_api_key_set: await this.#isSet('llm_api_key'),
      llm_fallback_api_key_set: await this.#isSet('llm_fallback_api_key'),
      search_api_key_set: await this.#isSet('search_api_key'),
      sandbox_api_key_set: await this.#isSet('sandbox_api_key'),
    }
  }

  /** The same for clients whose schemas know no "not known". @throws AppError settings_not_found */
  async legacyReply(): Promise<LegacySettingsReply> {
    const { llm_api_key_set, llm_fallback_api_key_set, search_api_key_set, sandbox_api_key_set, ...others } =
      await this.reply()
    return {
      ...others,
      llm_api_key_set: llm_api_key_set ?? this.#needsModelKey(),
      ...(llm_fallback_api_key_set !== null && { llm_fallback_api_key_set }),
      ...(search_api_key_set !== null && { search_api_key_set }),
      ...(sandbox_api_key_set !== null && { sandbox_api_key_set }),
    }
  }

  /** As `reply`, with the mask in place of each stored key. @throws AppError settings_not_found */
  async user() {
    const reply = await this.reply()
    return { ...reply, ...forEachKey(field => (reply[`${field}_set`] ? KEY_MASK : null)), id: null }
  }

  exist(): boolean {
    return Object.keys(this.#table.read()).length > 0
  }

  /**
   * Field by field: absent keeps, null clears. For keys null keeps and "" clears. What belongs into the vault goes
   * first, so that a locked keychain refuses the whole save instead of half of it.
   * @throws AppError bad_request for what is no host, or one of the vault
   */
  async save(given: SettingsPatch): Promise<void> {
    const patch = given.allowed_hosts ? { ...given, allowed_hosts: hostsOf(given.allowed_hosts) } : given
    const fields = Object.entries(patch).filter(
      ([name, value]) => value !== undefined && !isKept(name) && name !== 'secrets_store',
    )
    const undoKeys = await this.#saveKeys(patch)
    // What was said of one model, such as its price, does not hold for the next.
    const isOther = patch.llm_model !== undefined && patch.llm_model !== this.read().llm_model
    try {
      if (patch.secrets_store) await this.#secrets.merge(patch.secrets_store)
      this.#table.write({ ...(isOther && { llm_options: {} }), ...Object.fromEntries(fields), saved: true })
    } catch (error) {
      await undoKeys()
      throw error
    }
    this.#bus.publish({ resource: 'settings' })
  }

  /**
   * How to reach the model now; `model` wins over the stored name. Others name models too, such as a repository's
   * sub-agents: the stored key goes to no other provider than the one that it was stored for. @throws AppError model_not_set
   */
  async modelChoice(model: string | null): Promise<ModelChoice> {
    const settings = this.read()
    const name = model ?? settings.llm_model
    if (!name) throw new AppError('model_not_set', 'No model is set up. Choose one in Settings › Model.')
    const choice: ModelChoice = { model: name, baseUrl: settings.llm_base_url || null, apiKey: null, namedBy: 'person' }
    const isOwn = name === settings.llm_model
    const isForIt = choice.baseUrl !== null || !settings.llm_model || name === settings.llm_model
    const options = isOwn && { options: settings.llm_options }
    return { ...choice, ...options, apiKey: await (isForIt ? this.#key('llm_api_key') : this.keyAt(choice)) }
  }

  /**
   * The model to ask while `first` is down, null when none is set or when `first` is at an address that a client named.
   * Without a key of its own it gets the key of `first`, but only if that would go to the same address.
   */
  async fallbackChoice(first: ModelChoice): Promise<ModelChoice | null> {
    const settings = this.read()
    if (!settings.llm_fallback_model || first.baseUrl !== (settings.llm_base_url || null)) return null
    const baseUrl = settings.llm_fallback_base_url || null
    const apiKey = await this.#key('llm_fallback_api_key')
    const choice: ModelChoice = { model: settings.llm_fallback_model, baseUrl, apiKey, namedBy: 'person' }
    if (choice.apiKey || resolveModel(choice).baseUrl !== resolveModel(first).baseUrl) return choice
    return { ...choice, apiKey: first.apiKey }
  }

  /** The stored key for a model that is named elsewhere: one that goes to the same address anyway, otherwise none. */
  async keyAt(tried: Pick<ModelChoice, 'model' | 'baseUrl'>): Promise<string | null> {
    const { llm_model, llm_base_url, llm_fallback_model, llm_fallback_base_url } = this.read()
    const address = addressOf(tried.model, tried.baseUrl)
    if (address === null) return null
    if (addressOf(llm_model, llm_base_url) === address) return this.#key('llm_api_key')
    return addressOf(llm_fallback_model, llm_fallback_base_url) === address ? this.#key('llm_fallback_api_key') : null
  }

  /** Whether a model's requests go to an address that stands here. */
  isOwnAddress({ model, baseUrl }: Pick<ModelChoice, 'model' | 'baseUrl'>): boolean {
    const { llm_model, llm_base_url, llm_fallback_model, llm_fallback_base_url } = this.read()
    const address = addressOf(model, baseUrl)
    return (
      address !== null &&
      [addressOf(llm_model, llm_base_url), addressOf(llm_fallback_model, llm_fallback_base_url)].includes(address)
    )
  }

  async #key(name: KeyField): Promise<string | null> {
    const key = await this.#vault.get(name)
    if (key) this.#mask.add(key)
    return key
  }

  /** Whether the model's provider wants a key and none is stored. @throws AppError model_not_set */
  async lacksModelKey(): Promise<boolean> {
    const choice = await this.modelChoice(null)
    return !choice.apiKey && resolveModel(choice).provider.needsKey
  }

  /** @returns what puts the old keys back */
  async #saveKeys(patch: SettingsPatch): Promise<() => Promise<void>> {
    const entered: { name: Kept; value: string }[] = KEY_FIELDS.flatMap(name => {
      const value = patch[name]
      return value === undefined || value === null || isMasked(value) ? [] : [{ name, value: value.trim() }]
    })
    const { mcp_config } = patch
    if (mcp_config !== undefined) {
      entered.push({ name: TOOL_SERVERS, value: mcp_config === null ? '' : JSON.stringify(mcp_config) })
    }
    const before = await Promise.all(
      entered.map(async ({ name }) => ({ name, value: (await this.#vault.get(name)) ?? '' })),
    )
    const undo = async () => {
      for (const { name, value } of before) await this.#write(name, value).catch(() => {})
    }
    try {
      for (const { name, value } of entered) await this.#write(name, value)
    } catch (error) {
      await undo()
      throw error
    }
    return undo
  }

  async #write(name: Kept, value: string): Promise<void> {
    if (value === '') return this.#vault.delete(name)
    if (name !== TOOL_SERVERS) this.#mask.add(value)
    await this.#vault.set(name, value)
  }

  /** The tool servers of every conversation, and the key of the search. @throws AppError of the vault */
  async toolServers(): Promise<{ config: McpConfig | null; searchKey: string | null }> {
    const kept = await this.#vault.get(TOOL_SERVERS)
    const config = kept === null ? null : readConfig(kept)
    return { config, searchKey: await this.#key('search_api_key') }
  }

  /** Nothing while the keychain does not answer. */
  async #toolServers(): Promise<{ mcp_config?: McpConfig | null }> {
    const kept = await this.#read(TOOL_SERVERS)
    return kept === undefined ? {} : { mcp_config: kept === null ? null : readConfig(kept) }
  }

  /** null while the keychain does not answer: then it is not known. */
  async #isSet(name: KeyField): Promise<boolean | null> {
    const kept = await this.#read(name)
    return kept === undefined ? null : Boolean(kept)
  }

  /** undefined while the keychain does not answer; its state is shown elsewhere. */
  async #read(name: Kept): Promise<string | null | undefined> {
    try {
      return await this.#vault.get(name)
    } catch (error) {
      if (isAppError(error)) return undefined
      throw error
    }
  }

  #needsModelKey(): boolean {
    const { llm_model, llm_base_url } = this.read()
    return targetOf(llm_model, llm_base_url)?.provider.needsKey ?? false
  }
}

/** What the keychain gives back is not what was stored where another program has changed it. */
function readConfig(text: string): McpConfig | null {
  try {
    return mcpConfig.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** As good as none when it is damaged. */
function optionsOf(stored: unknown): ModelOptions {
  return modelOptions.safeParse(stored ?? {}).data ?? {}
}

function isKept(name: string): boolean {
  return name === TOOL_SERVERS || (KEY_FIELDS as readonly string[]).includes(name)
}

/** In one spelling, each once. @throws AppError bad_request */
function hostsOf(given: readonly string[]): string[] {
  const hosts = given.map(text => {
    const host = toHost(text)
    if (host !== null) return host
    throw new AppError('bad_request', `"${text}" is no host. Give a name or an address, like localhost:8080.`)
  })
  return [...new Set(hosts)]
}

function defaultOf(name: string): unknown {
  const defaults: Record<string, unknown> = DEFAULT_SETTINGS
  return name.startsWith('enable_') ? defaults[name] : null
}
