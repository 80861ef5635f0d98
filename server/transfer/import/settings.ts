import { isDeepStrictEqual } from 'node:util'
import { KEY_FIELDS, type KeyField } from '../../api/v1/settings/key-fields.ts'
import { type McpConfig, mcpConfigInput } from '../../api/v1/settings/mcp.ts'
import { type SettingsPatch, settingsPatch } from '../../api/v1/settings/settings.ts'
import type { DataContents, DataImportResult } from '../../api/v1/transfer/imports.ts'
import { AppError } from '../../domain/errors.ts'
import { serverName } from '../../mcp/configured.ts'
import { addressOf } from '../../settings/model-address.ts'
import type { Settings, SettingsService } from '../../settings/service.ts'
import type { SecretValues } from '../documents.ts'

type Given = Readonly<Record<string, unknown>>

/** Keys and servers come with the values of secrets; the others guard this computer, or are made for it. */
const NEVER_GIVEN: ReadonlySet<string> = new Set([...KEY_FIELDS, 'mcp_config', 'secrets_store'])
const STAY: ReadonlySet<string> = new Set([
  'allowed_hosts',
  'archive_after_days',
  'confirmation_mode',
  'delete_after_days',
  'security_analyzer',
  'max_running_sandboxes',
  'sandbox_base_container_image',
  'sandbox_runtime_container_image',
])

/** What would be other than it is here, before anybody has agreed to it. */
export function changedSettings(given: Given, now: Settings): DataContents['settings'] {
  const { patch } = read(given, now)
  return changed(patch, now).map(name => ({ name, value: JSON.stringify(patch[name]) }))
}

/** Models whose keys are here; each with the settings of its address and of how it is asked. */
const MODELS = [
  { model: 'llm_model', address: 'llm_base_url', key: 'llm_api_key', others: ['llm_options'] },
  { model: 'llm_fallback_model', address: 'llm_fallback_base_url', key: 'llm_fallback_api_key', others: [] },
] as const

/**
 * The file's in the place of ours; keys only where there are none here. A stored key goes to no address that
 * a file names: its model stays out.
 * @throws AppError of the vault
 */
export async function takeSettings(
  settings: Pick<SettingsService, 'read' | 'save' | 'toolServers'>,
  {
    given,
    values,
    hasKey,
    result,
  }: {
    given: Given
    values: SecretValues | null
    hasKey: (field: KeyField) => Promise<boolean>
    result: DataImportResult
  },
): Promise<void> {
  const now = settings.read()
  const { patch, kept } = read(given, now)
  result.settings_kept.push(...kept)
  for (const { model, address, key, others } of MODELS) {
    const next = {
      model: patch[model] === undefined ? now[model] : patch[model],
      address: patch[address] === undefined ? now[address] : patch[address],
    }
    if (isSameTarget(next, { model: now[model], address: now[address] }) || !(await hasKey(key))) continue
    for (const name of [model, address, ...others]) {
      if (name in patch && !isDeepStrictEqual(patch[name], now[name])) result.settings_kept.push(name)
      delete patch[name]
    }
  }
  const taken = changed(patch, now).length
  for (const field of KEY_FIELDS) {
    const key = values?.keys[field]
    if (key && !(await hasKey(field))) patch[field] = key
  }
  await settings.save(patch)
  result.settings = taken
}

/** By their names: one that is here stays. @throws AppError of the vault, bad_request */
export async function addToolServers(
  settings: Pick<SettingsService, 'save' | 'toolServers'>,
  given: unknown,
): Promise<void> {
  const { data, error } = mcpConfigInput.safeParse(given)
  if (!data) throw new AppError('bad_request', `The file is wrong at ${error.issues[0]?.path.join('.')}.`)
  await settings.save({ mcp_config: merged((await settings.toolServers()).config, data) })
}

/** What fits and does not stay. `kept` names the others, where they are not as they are here. */
function read(given: Given, now: Settings): { patch: SettingsPatch; kept: string[] } {
  const fields: Record<string, unknown> = {}
  const kept: string[] = []
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean; data?: unknown } }>> =
    settingsPatch.shape
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(shape, name) || NEVER_GIVEN.has(name)) continue
    const parsed = shape[name]?.safeParse(value)
    if (parsed?.success && !STAY.has(name)) fields[name] = parsed.data
    else if (!isDeepStrictEqual(value, now[name as keyof Settings])) kept.push(name)
  }
  return { patch: fields, kept }
}

function changed(patch: SettingsPatch, now: Settings): (keyof Settings)[] {
  return (Object.keys(patch) as (keyof Settings)[]).filter(name => !isDeepStrictEqual(patch[name], now[name]))
}

interface Target {
  model: string | null
  address: string | null
}

/** Addresses that nobody knows are the same only where all that is said of them is. */
function isSameTarget(next: Target, now: Target): boolean {
  if (next.model === now.model && (next.address || null) === (now.address || null)) return true
  const address = addressOf(next.model, next.address)
  return address !== null && address === addressOf(now.model, now.address)
}

function merged(here: McpConfig | null, given: McpConfig): McpConfig {
  if (here === null) return given
  const names = new Set([
    ...here.stdio_servers.map(({ name }) => name),
    ...here.sse_servers.map(serverName),
    ...here.shttp_servers.map(serverName),
  ])
  return {
    stdio_servers: [...here.stdio_servers, ...given.stdio_servers.filter(({ name }) => !names.has(name))],
    sse_servers: [...here.sse_servers, ...given.sse_servers.filter(server => !names.has(serverName(server)))],
    shttp_servers: [...here.shttp_servers, ...given.shttp_servers.filter(server => !names.has(serverName(server)))],
  }
}
