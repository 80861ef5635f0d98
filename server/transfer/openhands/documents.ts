import { keyText } from '../../api/input-text.ts'
import { GIT_PROVIDERS } from '../../api/v1/conversation/conversations.ts'
import { KEY_FIELDS } from '../../api/v1/settings/key-fields.ts'
import { profileName } from '../../api/v1/settings/llm-profiles.ts'
import type { McpConfig } from '../../api/v1/settings/mcp.ts'
import { secretName, secretText } from '../../api/v1/settings/secret-text.ts'
import { providerTokens } from '../../api/v1/settings/user-secrets.ts'
import { NO_CONVERSATION_SERVERS, namedServers } from '../../mcp/configured.ts'
import { secretValues } from '../../mcp/secret-values.ts'
import { DOCUMENTS, type ModelDocument, type SecretValues } from '../documents.ts'
import { toolServersOf } from './tool-servers.ts'
import { type Fields, fieldsOf, given, optionalText, textIn } from './values.ts'

/** What lies there beside conversations, in the forms that a file of Atelier has. */
export interface FolderDocuments {
  settings: Record<string, unknown>
  models: ModelDocument[]
  secrets: { name: string; description: string }[]
  values: SecretValues & { mcp_config?: McpConfig | undefined }
  /** What cannot be taken over, in words. */
  problems: string[]
}

const MASK = /^\**$/

/** @param settings of `settings.json`; @param secrets of `secrets.json` */
export function readDocuments(settings: Fields, secrets: Fields): FolderDocuments {
  const problems: string[] = []
  const older = fieldsOf(settings.secrets_store)
  const flat = flattened(settings)
  const custom = secretsOf({ ...fieldsOf(older.custom_secrets), ...fieldsOf(secrets.custom_secrets) }, problems)
  const profiles = profilesOf(fieldsOf(settings.llm_profiles), problems)
  return {
    settings: patchOf(flat),
    models: profiles.map(({ key: _, ...model }) => model),
    secrets: custom.map(({ name, description }) => ({ name, description })),
    values: {
      keys: Object.fromEntries(KEY_FIELDS.flatMap(name => pair(name, keyOf(flat[name])))),
      mcp_config: toolServersOf(flat.mcp_config, problems),
      secrets: custom,
      models: profiles.flatMap(({ name, key }) => (key === undefined ? [] : [{ name, key }])),
      provider_tokens: tokensOf({ ...fieldsOf(older.provider_tokens), ...fieldsOf(secrets.provider_tokens) }, problems),
    },
    problems,
  }
}

/** Every text that is a secret, so that none is read in a conversation. */
export function secretTextsOf({
  keys,
  secrets,
  models,
  provider_tokens,
  mcp_config,
}: FolderDocuments['values']): string[] {
  const servers = namedServers({ settings: mcp_config ?? null, kept: NO_CONVERSATION_SERVERS, searchKey: null })
  return [
    ...Object.values(keys),
    ...secrets.map(({ value }) => value),
    ...models.map(({ key }) => key),
    ...Object.values(provider_tokens).map(({ token }) => token ?? ''),
    ...servers.flatMap(({ server }) => secretValues(server)),
  ].filter(text => text !== '')
}

export function hasValues({ keys, secrets, models, provider_tokens, mcp_config }: SecretValues): boolean {
  const counts = [keys, provider_tokens].map(values => Object.keys(values).length)
  return [...counts, secrets.length, models.length].some(count => count > 0) || mcp_config !== undefined
}

/** Newer versions keep in parts what others keep side by side. */
function flattened(settings: Fields): Fields {
  const agent = fieldsOf(settings.agent_settings)
  const llm = fieldsOf(agent.llm)
  const condenser = fieldsOf(agent.condenser)
  const conversation = fieldsOf(settings.conversation_settings)
  return {
    ...settings,
    ...given('llm_model', llm.model),
    ...given('llm_base_url', llm.base_url),
    ...given('llm_api_key', llm.api_key),
    ...given('mcp_config', agent.mcp_config),
    ...given('enable_default_condenser', condenser.enabled),
    ...given('condenser_max_size', condenser.max_size),
    ...given('max_iterations', conversation.max_iterations),
    ...given('confirmation_mode', conversation.confirmation_mode),
    ...given('security_analyzer', conversation.security_analyzer),
  }
}

/** What OpenHands writes by itself is nobody's choice. */
const OWN_DEFAULTS: Fields = { git_user_name: 'openhands', git_user_email: 'openhands@all-hands.dev' }

/** What was never set says nothing of what is set here. */
function patchOf(flat: Fields): Record<string, unknown> {
  const entries = Object.entries(flat).filter(
    ([name, value]) =>
      TAKEN.has(name) && value !== null && value !== undefined && value !== '' && OWN_DEFAULTS[name] !== value,
  )
  const language = optionalText(flat, 'language')?.split('-')[0]
  return DOCUMENTS.settings.parse({ ...Object.fromEntries(entries), ...given('language', language) })
}

const TAKEN: ReadonlySet<string> = new Set([
  'language',
  'max_iterations',
  'security_analyzer',
  'confirmation_mode',
  'llm_model',
  'llm_base_url',
  'remote_runtime_resource_factor',
  'enable_default_condenser',
  'condenser_max_size',
  'enable_sound_notifications',
  'enable_proactive_conversation_starters',
  'sandbox_base_container_image',
  'sandbox_runtime_container_image',
  'max_budget_per_task',
  'email',
  'git_user_name',
  'git_user_email',
])

function secretsOf(found: Fields, problems: string[]): SecretValues['secrets'] {
  return Object.entries(found).flatMap(([name, value]) => {
    const fields = typeof value === 'string' ? { secret: value } : fieldsOf(value)
    const text = secretText.safeParse(optionalText(fields, 'secret', 'value')).data
    const isName = secretName.safeParse(name).success
    if (!isName || text === undefined || MASK.test(text)) {
      problems.push(
        isName ? `Secret ${name} has no value that can be read.` : 'A secret has a name that cannot be kept.',
      )
      return []
    }
    return [{ name, description: textIn(fields, 'description').slice(0, 2000), value: text }]
  })
}

function tokensOf(found: Fields, problems: string[]): SecretValues['provider_tokens'] {
  const tokens: Record<string, unknown> = {}
  for (const [provider, value] of Object.entries(found)) {
    const fields = typeof value === 'string' ? { token: value } : fieldsOf(value)
    if (MASK.test(textIn(fields, 'token'))) continue
    const { token, host, user_id } = fields
    const one = { [provider]: { token, host: host || null, user_id: user_id || null } }
    const { data } = providerTokens.safeParse(one)
    const isKnown = (GIT_PROVIDERS as readonly string[]).includes(provider)
    if (data) Object.assign(tokens, data)
    else
      problems.push(
        isKnown ? `The token of ${provider} cannot be read.` : 'A token is of a git provider that is not known here.',
      )
  }
  return providerTokens.parse(tokens)
}

function profilesOf(found: Fields, problems: string[]): (ModelDocument & { key?: string | undefined })[] {
  return Object.entries(fieldsOf(found.profiles)).flatMap(([name, value]) => {
    const fields = fieldsOf(value)
    const base_url = textIn(fields, 'base_url') || null
    const { data } = DOCUMENTS.models.element.safeParse({ name, model: fields.model, base_url, options: {} })
    if (data) return [{ ...data, key: keyOf(fields.api_key) }]
    const shown = profileName.safeParse(name).success ? `Saved model ${name}` : 'A saved model'
    problems.push(`${shown} has a name or an address that cannot be kept.`)
    return []
  })
}

const key = keyText()

function keyOf(value: unknown): string | undefined {
  const { data } = key.safeParse(value)
  return data === undefined || MASK.test(data.trim()) ? undefined : data
}

function pair<Name extends string>(name: Name, value: string | undefined): [Name, string][] {
  return value === undefined ? [] : [[name, value]]
}
