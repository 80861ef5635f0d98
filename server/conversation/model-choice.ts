import type { GatewayLlm } from '../api/agent-server/llm.ts'
import { type ModelOptions, mergedOptions, optionsIn } from '../api/model-options.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import { createComplete } from '../llm/answer/stream.ts'
import type { Complete, ModelChoice } from '../llm/completion.ts'
import { resolveModel } from '../llm/provider.ts'
import type { NamedBy, Outbound } from '../outbound/outbound.ts'
import type { Mask } from '../secret/mask/mask.ts'
import { priceKnownOf } from '../settings/price.ts'
import type { Profiles } from '../settings/profiles.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Conversation } from '../store/conversation/conversations.ts'
import {
  type ConversationOptions,
  type ConversationOptionsTable,
  NO_CONVERSATION_OPTIONS,
} from '../store/conversation/options.ts'

interface Dependencies {
  table: Pick<ConversationOptionsTable, 'get' | 'save'>
  settings: SettingsService
  profiles: Pick<Profiles, 'choice' | 'keyAt' | 'isOwnAddress' | 'has' | 'modelOf' | 'optionsOf'>
  mask: Pick<Mask, 'add'>
}

const MASKED = /^\**$/

/** What a saved model is, and where. */
type SavedModel = ReturnType<Profiles['modelOf']>

type Headers = Readonly<Record<string, string>>

/** The models that clients of the gateway named for their conversations. Their keys and headers are in memory only. */
export class ModelChoices {
  readonly #dependencies: Dependencies
  readonly #keys = new Map<ConversationId, string>()
  readonly #headers = new Map<ConversationId, Headers>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** What can be stored of it; null leaves the model to the settings. @throws AppError llm_unknown_model, llm_bad_request */
  check(llm: GatewayLlm | null | undefined, named_by: NamedBy): ConversationOptions['llm'] {
    const model = llm?.model?.trim()
    const base_url = llm?.base_url?.trim() || null
    const known = this.#dependencies.settings.read()
    const asked = model || known.llm_model
    const options = optionsIn(llm ?? {})
    if (asked) {
      resolveModel({ model: asked, baseUrl: base_url ?? known.llm_base_url, apiKey: null, namedBy: named_by, options })
    }
    if (!model) return null
    return { model, base_url, profile: null, named_by }
  }

  /** @throws AppError bad_request with `details.field` for a saved model that is not there; null is none */
  checkSaved(name: string | null, field: string): void {
    if (name === null || this.#dependencies.profiles.has(name)) return
    throw new AppError('bad_request', 'there is no saved model of this name', { details: { field } })
  }

  /**
   * Lets a conversation, which has its model already, reach it as the saved one of that name says, or said.
   * @throws AppError not_found for one that is not there, unless it is given
   */
  chooseSaved(id: ConversationId, name: string, saved?: SavedModel): void {
    const { table, profiles } = this.#dependencies
    const { model, base_url } = saved ?? profiles.modelOf(name)
    this.forget(id)
    table.save(id, {
      ...(table.get(id) ?? NO_CONVERSATION_OPTIONS),
      llm: { model, base_url, profile: name, named_by: 'person' },
      llm_options: {},
      llm_options_for: model,
    })
  }

  /** @throws AppError not_found */
  savedModel(name: string): SavedModel {
    const { profiles } = this.#dependencies
    if (profiles.has(name)) return profiles.modelOf(name)
    throw new AppError('not_found', `There is no saved model “${name}”. Name one of those in the settings.`)
  }

  /** The saved model that names a conversation; null leaves that to its own. */
  titleModel(name: string | null, outbound: Outbound): Complete | null {
    return name === null ? null : createComplete(() => this.#dependencies.profiles.choice(name), { outbound })
  }

  keep(id: ConversationId, llm: GatewayLlm | null | undefined): void {
    const headers = llm?.extra_headers ?? {}
    for (const value of Object.values(headers)) this.#dependencies.mask.add(value)
    if (Object.keys(headers).length > 0) this.#headers.set(id, headers)
    const key = typeof llm?.api_key === 'string' ? llm.api_key.trim() : ''
    if (MASKED.test(key)) return
    this.#dependencies.mask.add(key)
    this.#keys.set(id, key)
  }

  copy(from: ConversationId, to: ConversationId): void {
    const key = this.#keys.get(from)
    if (key !== undefined) this.#keys.set(to, key)
    const headers = this.#headers.get(from)
    if (headers) this.#headers.set(to, headers)
  }

  forget(id: ConversationId): void {
    this.#keys.delete(id)
    this.#headers.delete(id)
  }

  hasKey(id: ConversationId): boolean {
    return this.#keys.has(id)
  }

  /**
   * How to reach the model of a conversation now. The stored key never goes to an address that a client named, and what
   * a sub-agent says goes where its parent's words go, as long as it has the same model.
   */
  async choice(conversation: Conversation): Promise<ModelChoice> {
    const { options, ...choice } = await this.#chosen(conversation)
    const howToAsk = this.#howToAsk(conversation, options ?? {})
    return { ...choice, ...howToAsk, namedBy: this.#namedBy(conversation, choice) }
  }

  /** Whether a budget can be kept: what its model costs is known. A replay costs nothing. */
  readonly isPriceKnown = (conversation: Conversation): boolean => {
    const { settings, profiles } = this.#dependencies
    const stored = settings.read()
    const model = conversation.llm_model ?? stored.llm_model
    if (conversation.replay !== null) return true
    if (!model) return false
    const asked = this.#askedFor(conversation).asked?.llm
    const named = asked?.model === model ? asked : null
    const profile = named?.profile ?? null
    const baseUrl = profile !== null ? (named?.base_url ?? null) : (named?.base_url ?? (stored.llm_base_url || null))
    const own = model === stored.llm_model && named === null ? stored.llm_options : {}
    const base = profile === null ? own : profiles.optionsOf(profile)
    return priceKnownOf({ model, baseUrl, apiKey: null, ...this.#howToAsk(conversation, base) })
  }

  /** What the client said of its model holds for that model; the settings' holds where it named none. */
  #howToAsk(conversation: Conversation, base: ModelOptions): Pick<ModelChoice, 'options' | 'headers'> {
    const { asked, namedAt } = this.#askedFor(conversation)
    const holds = asked && asked.llm_options_for === conversation.llm_model
    const isNamed = holds && asked.llm !== null && asked.llm.profile === null
    const options = holds ? mergedOptions(isNamed ? {} : base, asked.llm_options) : base
    const headers = holds ? this.#headers.get(namedAt) : undefined
    return { ...(Object.keys(options).length > 0 && { options }), ...(headers && { headers }) }
  }

  /** A sub-conversation has its parent's. */
  #askedFor({ id, parent_conversation_id }: Conversation) {
    const { table } = this.#dependencies
    const own = table.get(id)
    const parentId = (parent_conversation_id ?? '') as ConversationId
    return own ? { asked: own, namedAt: id } : { asked: table.get(parentId), namedAt: parentId }
  }

  /**
   * An address of the settings or of a saved model is the person's word, whoever names its model. What a client named is
   * as good as its key, and a sub-agent's model is a repository's word.
   */
  #namedBy({ id, parent_conversation_id, llm_model }: Conversation, choice: ModelChoice): NamedBy {
    const { settings, profiles, table } = this.#dependencies
    if (settings.isOwnAddress(choice) || profiles.isOwnAddress(choice)) return 'person'
    const asked = (table.get(id) ?? table.get((parent_conversation_id ?? '') as ConversationId))?.llm
    if (asked && asked.model === llm_model) return asked.named_by
    return parent_conversation_id === null ? 'person' : 'other'
  }

  async #chosen(conversation: Conversation): Promise<ModelChoice> {
    const { settings } = this.#dependencies
    const { asked: all, namedAt } = this.#askedFor(conversation)
    const asked = all?.llm
    const key = this.#keys.get(namedAt) ?? null
    if (all && !asked && all.llm_options_for === conversation.llm_model) {
      const choice = await this.#named(conversation.llm_model)
      return key === null ? choice : { ...choice, apiKey: key }
    }
    // The model was changed since by other means.
    if (!asked || asked.model !== conversation.llm_model) return this.#named(conversation.llm_model)
    const saved = asked.profile === null ? null : await this.#saved(asked.profile)
    if (saved?.model === asked.model && saved.baseUrl === asked.base_url) return saved
    const stored = settings.read().llm_base_url || null
    if (asked.base_url !== null && asked.base_url !== stored) {
      const address = { model: asked.model, baseUrl: asked.base_url }
      // The saved model has been changed since, but its key may still be one for that address.
      const kept = asked.profile === null ? null : await this.#dependencies.profiles.keyAt(address)
      return { ...address, apiKey: key ?? kept, namedBy: asked.named_by }
    }
    const choice = await this.#named(asked.model)
    return key === null ? choice : { ...choice, apiKey: key }
  }

  /** With the stored key that goes to its address anyway: the settings' own, or that of a saved model. */
  async #named(model: string | null): Promise<ModelChoice> {
    const { settings, profiles } = this.#dependencies
    const choice = await settings.modelChoice(model)
    return { ...choice, apiKey: choice.apiKey ?? (await profiles.keyAt(choice)) }
  }

  /** null when it was deleted in the meantime. */
  async #saved(name: string): Promise<ModelChoice | null> {
    try {
      const choice = await this.#dependencies.profiles.choice(name)
      return { ...choice, options: { usage_id: `profile:${name}`, ...choice.options } }
    } catch (error) {
      if (isAppError(error, 'not_found')) return null
      throw error
    }
  }
}
