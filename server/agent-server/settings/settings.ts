import { z } from 'zod'
import {
  type GatewaySettingsPatch,
  type GatewaySettingsReply,
  gatewaySettingsPatch,
} from '../../api/agent-server/settings.ts'
import { KEY_MASK } from '../../api/contract/hidden-values.ts'
import { mergedOptions } from '../../api/model-options.ts'
import type { McpServer } from '../../api/v1/settings/mcp-servers.ts'
import type { NewSecret } from '../../api/v1/settings/secrets.ts'
import { AppError } from '../../domain/errors.ts'
import type { CustomSecrets } from '../../secret/custom-secrets.ts'
import type { Profiles } from '../../settings/profiles.ts'
import type { Settings, SettingsService } from '../../settings/service.ts'
import type { MetaRow } from '../../store/database/meta.ts'
import type { Access } from '../access.ts'
import { AGENT_FIELDS, CONVERSATION_FIELDS, type FieldGroup, fromTree, rootsOf, toTree } from './fields.ts'
import { assertOwner } from './profiles.ts'
import { ToolServerSettings } from './tool-servers.ts'

export interface GatewaySettingsDependencies {
  settings: SettingsService
  profiles: Profiles
  userSecrets: CustomSecrets
  /** What clients keep here for themselves, as JSON. */
  misc: Pick<MetaRow, 'get' | 'set' | 'parsed'>
}

type Tree = Record<string, unknown>
const MAX_MISC_CHARACTERS = 65_536

/** The app's settings and the user's secrets in the words of the agent-server API. */
export class GatewaySettings {
  readonly #dependencies: GatewaySettingsDependencies
  readonly #servers: ToolServerSettings

  constructor(dependencies: GatewaySettingsDependencies) {
    this.#dependencies = dependencies
    this.#servers = new ToolServerSettings(dependencies.settings)
  }

  /** @throws AppError forbidden */
  async get(access: Access): Promise<GatewaySettingsReply> {
    assertOwner(access, 'The settings')
    const { settings, profiles } = this.#dependencies
    const stored = settings.read()
    const isSet = settings.exist() && (await settings.legacyReply()).llm_api_key_set
    return {
      agent_settings: {
        schema_version: 1,
        agent_kind: 'openhands',
        ...describeAgent(stored, isSet),
        mcp_config: await this.#servers.shown(),
      },
      conversation_settings: { schema_version: 1, ...toTree(CONVERSATION_FIELDS, withMode(stored)) },
      llm_api_key_is_set: isSet,
      active_profile: (await profiles.list()).active_profile,
      active_agent_profile_id: null,
      misc_settings: this.#misc(),
    }
  }

  /** All or nothing, but for what is kept for clients. @throws AppError forbidden, bad_request, not_supported, not_found, or one of the vault */
  async update(access: Access, patch: GatewaySettingsPatch): Promise<GatewaySettingsReply> {
    assertOwner(access, 'The settings')
    if (Object.values(patch).every(value => value === undefined)) {
      throw new AppError(
        'bad_request',
        `Nothing is to be changed. Give one of ${Object.keys(gatewaySettingsPatch.shape).join(', ')}.`,
      )
    }
    const { settings, profiles } = this.#dependencies
    const agent = patch.agent_settings_diff ?? {}
    const conversation = patch.conversation_settings_diff ?? {}
    if (agent.agent_kind && agent.agent_kind !== 'openhands') {
      throw new AppError('not_supported', "There is one kind of agent: Atelier's own, under the name openhands.")
    }
    if (patch.active_agent_profile_id)
      throw new AppError('not_supported', 'There are no agent profiles. Leave active_agent_profile_id out.')
    assertKnown('agent_settings_diff', agent, AGENT_FIELDS)
    assertKnown('conversation_settings_diff', conversation, CONVERSATION_FIELDS)
    const misc = patch.misc_settings_diff ? this.#mergedMisc(patch.misc_settings_diff) : null
    if (patch.active_profile) await profiles.activate(patch.active_profile)
    const changes = {
      ...fromTree(AGENT_FIELDS, agent),
      ...(agent.llm && { llm_options: mergedOptions(settings.read().llm_options, agent.llm) }),
      ...fromTree(CONVERSATION_FIELDS, conversation),
    }
    if (Object.keys(changes).length > 0) await settings.save(changes)
    if (patch.active_profile === null) profiles.deactivate()
    if (misc !== null) this.#dependencies.misc.set(misc)
    return this.get(access)
  }

  /** @throws AppError forbidden */
  async secrets(access: Access) {
    assertOwner(access, "The user's secrets")
    return { secrets: await this.#dependencies.userSecrets.list() }
  }

  /** @throws AppError forbidden, bad_request, or one of the vault */
  async putSecret(access: Access, secret: NewSecret) {
    assertOwner(access, "The user's secrets")
    const { userSecrets } = this.#dependencies
    const found = (await userSecrets.list()).find(({ name }) => name === secret.name)
    if (!found) return userSecrets.create(secret)
    return userSecrets.update(secret.name, { ...secret, description: secret.description ?? found.description })
  }

  /** @throws AppError forbidden, secret_not_found, or one of the vault */
  async deleteSecret(access: Access, name: string) {
    assertOwner(access, "The user's secrets")
    await this.#dependencies.userSecrets.delete(name)
    return { deleted: true }
  }

  /** @throws AppError forbidden, conflict, not_supported, or one of the vault */
  async addToolServer(access: Access, name: string, server: McpServer): Promise<GatewaySettingsReply> {
    assertOwner(access, 'The settings')
    await this.#servers.add(name, server)
    return this.get(access)
  }

  /** @throws AppError forbidden, not_found, bad_request, not_supported, or one of the vault */
  async changeToolServer(access: Access, name: string, patch: Tree): Promise<GatewaySettingsReply> {
    assertOwner(access, 'The settings')
    await this.#servers.change(name, patch)
    return this.get(access)
  }

  /** @throws AppError forbidden, not_found, or one of the vault */
  async removeToolServer(access: Access, name: string): Promise<GatewaySettingsReply> {
    assertOwner(access, 'The settings')
    await this.#servers.remove(name)
    return this.get(access)
  }

  #misc(): Tree {
    return this.#dependencies.misc.parsed(text => tree.parse(JSON.parse(text))) ?? {}
  }

  /** @throws AppError too_large */
  #mergedMisc(diff: Tree): string {
    const text = JSON.stringify(mergeDiff(this.#misc(), diff))
    if (text.length <= MAX_MISC_CHARACTERS) return text
    throw new AppError('too_large', `misc_settings may have ${MAX_MISC_CHARACTERS} characters in all.`)
  }
}

/** Clients send back what they have read, and a mode is true or false. */
function withMode(stored: Settings): Settings {
  return { ...stored, confirmation_mode: stored.confirmation_mode ?? false }
}

function describeAgent(stored: Settings, isKeySet: boolean): Tree {
  const { llm, ...rest } = toTree(AGENT_FIELDS, { ...stored, llm_api_key: isKeySet ? KEY_MASK : null })
  return { ...rest, llm: { ...(llm as Tree), ...stored.llm_options } }
}

const tree = z.record(z.string(), z.unknown())

/** Refused rather than ignored. @throws AppError not_supported */
function assertKnown(what: string, given: Tree, group: FieldGroup): void {
  const known = new Set([...rootsOf(group), 'schema_version', 'agent_kind'])
  const unknown = Object.keys(given).filter(key => !known.has(key) && given[key] !== null)
  if (unknown.length === 0) return
  const names = unknown.map(key => key.slice(0, 60)).join(', ')
  throw new AppError('not_supported', `${what} names what Atelier does not have, or has on its own port: ${names}.`)
}

/** Objects go into each other, lists and values take the place of what was there, null removes. */
function mergeDiff(before: Tree, diff: Tree): Tree {
  const result = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(diff)) {
    const old = tree.safeParse(result.get(key))
    const next = tree.safeParse(value)
    if (value === null) result.delete(key)
    else result.set(key, next.success ? mergeDiff(old.success ? old.data : {}, next.data) : value)
  }
  return Object.fromEntries(result)
}
