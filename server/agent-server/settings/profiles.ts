import type { StoredLlm } from '../../api/agent-server/llm.ts'
import type { ErrorCode } from '../../api/contract/failures.ts'
import { optionsIn } from '../../api/model-options.ts'
import { AppError } from '../../domain/errors.ts'
import { testModel } from '../../llm/probe.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Profiles } from '../../settings/profiles.ts'
import type { Access } from '../access.ts'

/** A sandbox's key opens its sandbox, not what belongs to the app. @throws AppError forbidden */
export function assertOwner(access: Access, what: string): void {
  if (access.kind === 'all') return
  throw new AppError('forbidden', `${what} need the app's own key: the key of a sandbox opens that sandbox alone.`)
}

/** Profiles in the words of the agent-server API. */
export class GatewayProfiles {
  readonly #profiles: Profiles
  readonly #outbound: Outbound

  constructor({ profiles, outbound }: { profiles: Profiles; outbound: Outbound }) {
    this.#profiles = profiles
    this.#outbound = outbound
  }

  list(access: Access) {
    return this.#open(access).list()
  }

  async get(access: Access, name: string) {
    const { model, base_url, options, api_key_set } = await this.#open(access).get(name)
    return { name, config: { model, base_url, api_key: null, ...options }, api_key_set }
  }

  async save(access: Access, name: string, { llm, include_secrets }: { llm: StoredLlm; include_secrets: boolean }) {
    const input = inputOf(llm)
    await this.#open(access).save(name, include_secrets ? input : { ...input, api_key: '' })
    return { name, message: `Profile '${name}' saved` }
  }

  async delete(access: Access, name: string) {
    await this.#open(access).delete(name)
    return { name, message: `Profile '${name}' deleted` }
  }

  rename(access: Access, name: string, newName: string) {
    this.#open(access).rename(name, newName)
    const how = name === newName ? 'unchanged (same name)' : `renamed to '${newName}'`
    return { name: newName, message: `Profile '${name}' ${how}` }
  }

  async activate(access: Access, name: string) {
    await this.#open(access).activate(name)
    return { name, message: `Profile '${name}' activated and applied to current settings`, llm_applied: true }
  }

  /** A model that is only busy is set up well. */
  async validate(access: Access, name: string, llm: StoredLlm, signal: AbortSignal) {
    const result = await testModel(await this.#open(access).tried(name, inputOf(llm)), {
      outbound: this.#outbound,
      signal,
    })
    if (result.ok || result.code === 'llm_rate_limited') return { valid: true, error: null }
    return {
      valid: false,
      error: { type: ERROR_TYPES[result.code as ErrorCode] ?? 'LLMError', message: result.message },
    }
  }

  #open(access: Access): Profiles {
    assertOwner(access, 'Profiles')
    return this.#profiles
  }
}

/** The classes that clients know. */
const ERROR_TYPES: Partial<Record<ErrorCode, string>> = {
  llm_authentication: 'LLMAuthenticationError',
  llm_bad_request: 'LLMBadRequestError',
  llm_unknown_model: 'LLMBadRequestError',
  llm_unreachable: 'LLMServiceUnavailableError',
}

function inputOf(llm: StoredLlm) {
  const { model = null, base_url = null, api_key = null } = llm
  return { model, base_url, api_key, options: optionsIn(llm) }
}
