import type { ModelOptions } from '../api/model-options.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import type { ModelChoice } from '../llm/completion.ts'
import { resolveModel } from '../llm/provider.ts'
import { isMasked } from '../secret/mask/input.ts'
import type { VaultItems } from '../secret/vault/items.ts'
import type { MetaRow } from '../store/database/meta.ts'
import type { LlmProfileRow, LlmProfileTable } from '../store/llm-profiles.ts'
import { addressOf } from './model-address.ts'
import type { SettingsService } from './service.ts'

interface Dependencies {
  table: LlmProfileTable
  items: VaultItems
  /** The name of the one that was made the model of the settings last. */
  active: Pick<MetaRow, 'get' | 'set'>
  settings: SettingsService
  bus: Bus
}

/** What a client says of a model. For the key: absent, null and the mask keep the stored one, "" removes it. */
export interface ProfileInput {
  model: string | null
  base_url: string | null
  api_key?: string | null | undefined
  /** How it is asked. */
  options?: ModelOptions | null | undefined
}

const MAX_PROFILES = 50

/** Models that were saved under a name, with keys of their own in the vault. */
export class Profiles {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async list() {
    const rows = this.#dependencies.table.all()
    await this.#dependencies.items.learn(rows.flatMap(({ vault_item }) => vault_item ?? []))
    return {
      profiles: rows.map(row => ({ ...shown(row), api_key_set: this.#hasKey(row) })),
      active_profile: this.#active(),
    }
  }

  has(name: string): boolean {
    return this.#dependencies.table.get(name) !== undefined
  }

  /** Which model it is, and where. @throws AppError not_found */
  modelOf(name: string): Pick<LlmProfileRow, 'model' | 'base_url'> {
    return this.#find(name)
  }

  /** @throws AppError not_found */
  async get(name: string) {
    const row = this.#find(name)
    await this.#dependencies.items.learn(row.vault_item ? [row.vault_item] : [])
    return { ...shown(row), api_key_set: this.#hasKey(row) }
  }

  /** @throws AppError bad_request, llm_unknown_model, conflict when there are too many, or one of the vault */
  async save(name: string, input: ProfileInput): Promise<void> {
    const { table, items } = this.#dependencies
    const { model, baseUrl } = checked(input)
    const key = input.api_key?.trim()
    const entered = key && !isMasked(key) ? [key] : []
    await items.store(entered, ([item]) => {
      const before = table.get(name)
      if (!before && table.all().length >= MAX_PROFILES) {
        throw new AppError('conflict', `There are ${MAX_PROFILES} profiles already. Delete one first.`)
      }
      const old = before?.vault_item ?? null
      const vault_item = item ?? (key === '' ? null : old)
      table.put({ name, model, base_url: baseUrl, vault_item, options: input.options ?? {} })
      return old !== null && old !== vault_item ? [old] : []
    })
    this.#publish()
  }

  /** The model of the settings, which then has this name. @throws AppError model_not_set, conflict, or one of the vault */
  async saveCurrent(name: string, withKey: boolean): Promise<void> {
    const { settings, active } = this.#dependencies
    const { model, baseUrl, apiKey, options } = await settings.modelChoice(null)
    await this.save(name, { model, base_url: baseUrl, api_key: (withKey && apiKey) || '', options })
    active.set(name)
    this.#publish()
  }

  /** One that is not there is no error. @throws AppError of the vault */
  async delete(name: string): Promise<void> {
    const { table, items } = this.#dependencies
    const row = table.get(name)
    await items.remove(row?.vault_item ? [row.vault_item] : [], () => table.delete(name))
    this.#publish()
  }

  /** @throws AppError not_found, conflict when the new name is taken */
  rename(name: string, newName: string): void {
    const { table, active } = this.#dependencies
    this.#find(name)
    if (name === newName) return
    if (table.get(newName)) throw new AppError('conflict', `Profile '${newName}' already exists`)
    table.rename(name, newName)
    if (active.get() === name) active.set(newName)
    this.#publish()
  }

  /**
   * Makes it the model of the settings. One without a key gets the stored key only if that goes to the same address.
   * @throws AppError not_found, or one of the vault
   */
  async activate(name: string): Promise<void> {
    const { settings, active } = this.#dependencies
    const { model, baseUrl, apiKey, options } = await this.choice(name)
    const key = apiKey ?? (await settings.keyAt({ model, baseUrl })) ?? ''
    await settings.save({ llm_model: model, llm_base_url: baseUrl, llm_api_key: key, llm_options: options ?? {} })
    active.set(name)
    this.#publish()
  }

  /** The model of the settings is nobody's any more. */
  deactivate(): void {
    this.#dependencies.active.set(null)
    this.#publish()
  }

  /** How to reach its model. @throws AppError not_found, or one of the vault */
  async choice(name: string): Promise<ModelChoice> {
    const { model, base_url, vault_item, options } = this.#find(name)
    const apiKey = vault_item === null ? null : await this.#dependencies.items.read(vault_item)
    return { model, baseUrl: base_url, apiKey, namedBy: 'person', options }
  }

  /** How it is asked; nothing for one that is not there. */
  optionsOf(name: string): ModelOptions {
    return this.#dependencies.table.get(name)?.options ?? {}
  }

  /** Whether the requests of a saved model go to the same address. */
  isOwnAddress({ model, baseUrl }: Pick<ModelChoice, 'model' | 'baseUrl'>): boolean {
    const address = addressOf(model, baseUrl)
    return (
      address !== null && this.#dependencies.table.all().some(one => addressOf(one.model, one.base_url) === address)
    )
  }

  /** The key of a saved model whose requests go to the same address. @throws AppError of the vault */
  async keyAt({ model, baseUrl }: Pick<ModelChoice, 'model' | 'baseUrl'>): Promise<string | null> {
    const { table, items } = this.#dependencies
    const address = addressOf(model, baseUrl)
    if (address === null) return null
    const row = table.all().find(one => one.vault_item !== null && addressOf(one.model, one.base_url) === address)
    return row?.vault_item ? items.read(row.vault_item) : null
  }

  /** How to reach a model that is only tried out under this name. @throws AppError bad_request, llm_unknown_model */
  async tried(name: string, input: ProfileInput): Promise<ModelChoice> {
    const { table, settings } = this.#dependencies
    const choice: ModelChoice = {
      ...checked(input),
      apiKey: null,
      namedBy: 'person',
      options: input.options ?? {},
    }
    const key = input.api_key?.trim()
    if (key !== undefined && !isMasked(key)) return { ...choice, apiKey: key || null }
    const stored = table.get(name) ? await this.choice(name) : null
    const isSame = stored?.model === choice.model && stored.baseUrl === choice.baseUrl
    return isSame && stored ? { ...choice, apiKey: stored.apiKey } : { ...choice, apiKey: await settings.keyAt(choice) }
  }

  /** As long as the settings have its model. */
  #active(): string | null {
    const { table, active, settings } = this.#dependencies
    const name = active.get()
    const row = name === null ? undefined : table.get(name)
    const { llm_model, llm_base_url } = settings.read()
    return row && row.model === llm_model && row.base_url === (llm_base_url || null) ? row.name : null
  }

  #hasKey({ vault_item }: LlmProfileRow): boolean {
    return vault_item !== null && !this.#dependencies.items.isGone(vault_item)
  }

  /** @throws AppError not_found */
  #find(name: string): LlmProfileRow {
    const found = this.#dependencies.table.get(name)
    if (!found) throw new AppError('not_found', `Profile '${name}' not found`)
    return found
  }

  #publish(): void {
    this.#dependencies.bus.publish({ resource: 'settings' })
  }
}

function shown({ name, model, base_url, options }: LlmProfileRow) {
  return { name, model, base_url, options }
}

/** @throws AppError bad_request, llm_unknown_model, llm_bad_request */
function checked(input: ProfileInput): { model: string; baseUrl: string | null } {
  const model = input.model?.trim()
  if (!model) throw new AppError('bad_request', 'No model is named. Name it in llm.model.')
  const baseUrl = input.base_url?.trim() || null
  resolveModel({ model, baseUrl, apiKey: null, namedBy: 'person', options: input.options ?? {} })
  return { model, baseUrl }
}
