import { KEY_FIELDS, type KeyField } from '../../../server/api/v1/settings/key-fields.ts'
import {
  DEFAULT_SETTINGS,
  type SettingsPatch,
  type SettingsReply,
  settingsPatch,
} from '../../../server/api/v1/settings/settings.ts'
import { MAX_RETENTION_DAYS } from '../../../server/api/v1/system/retention.ts'
import { OPTION_WORDS, type OptionEdits, type OptionField, optionsPatch } from './model-options.ts'
import { t } from './text.ts'
import type { ToolServers } from './tool-servers.ts'

/** Fields that the settings page edits as text; '' is "not set". */
const TEXT_FIELDS = [
  'llm_model',
  'llm_base_url',
  'llm_fallback_model',
  'llm_fallback_base_url',
  'agent',
  'security_analyzer',
  'event_dialect',
  'language',
  'email',
  'git_user_name',
  'git_user_email',
  'sandbox_base_container_image',
  'sandbox_runtime_container_image',
] as const
const NUMBER_FIELDS = [
  'max_iterations',
  'max_budget_per_task',
  'condenser_max_size',
  'remote_runtime_resource_factor',
  'pause_idle_after',
  'max_running_sandboxes',
  'archive_after_days',
  'delete_after_days',
] as const
const SWITCH_FIELDS = [
  'confirmation_mode',
  'enable_default_condenser',
  'enable_solvability_analysis',
  'enable_proactive_conversation_starters',
  'enable_sound_notifications',
  'user_consents_to_analytics',
  'prepare_sandboxes',
  'email_verified',
] as const

export type FormField = (typeof TEXT_FIELDS)[number] | (typeof NUMBER_FIELDS)[number]
export type SwitchField = (typeof SWITCH_FIELDS)[number]
export type SettingName = FormField | SwitchField | KeyField | 'mcp_config' | 'llm_options'

/** What happens to a stored key at the next save. */
export type KeyEdit = { kind: 'keep' } | { kind: 'replace'; key: string } | { kind: 'clear' }

/** What was entered and is not saved: only the fields that differ from what is stored. */
export interface SettingsEdits {
  fields: Partial<Record<FormField, string>>
  switches: Partial<Record<SwitchField, boolean>>
  keys: Partial<Record<KeyField, Exclude<KeyEdit, { kind: 'keep' }>>>
  /** The tool servers as a whole: the service takes them as one field. */
  servers: ToolServers | null
  /** How the model is asked; null as it is stored. */
  options: OptionEdits | null
}

export const NO_EDITS: SettingsEdits = { fields: {}, switches: {}, keys: {}, servers: null, options: null }

type Stored = SettingsReply | null

/** The names of the fields that would be saved. */
export function editedFields({ fields, switches, keys, servers, options }: SettingsEdits): SettingName[] {
  const names = [...Object.keys(fields), ...Object.keys(switches), ...Object.keys(keys)] as SettingName[]
  return [...names, ...(servers ? (['mcp_config'] as const) : []), ...(options ? (['llm_options'] as const) : [])]
}

export function countEdits(edits: SettingsEdits): number {
  return editedFields(edits).length
}

/** What a field shows: the typed text, else the stored value. */
export function fieldText({ fields }: SettingsEdits, stored: Stored, field: FormField): string {
  return fields[field] ?? storedText(stored, field)
}

/** The edits after typing; a field that is as stored again is no edit. */
export function withEdit(edits: SettingsEdits, stored: Stored, field: FormField, text: string): SettingsEdits {
  const { [field]: _, ...others } = edits.fields
  return { ...edits, fields: text === storedText(stored, field) ? others : { ...others, [field]: text } }
}

export function isOn({ switches }: SettingsEdits, stored: Stored, field: SwitchField): boolean {
  return switches[field] ?? storedSwitch(stored, field)
}

export function withSwitch(edits: SettingsEdits, stored: Stored, field: SwitchField, on: boolean): SettingsEdits {
  const { [field]: _, ...others } = edits.switches
  return { ...edits, switches: on === storedSwitch(stored, field) ? others : { ...others, [field]: on } }
}

export function keyEdit({ keys }: SettingsEdits, field: KeyField): KeyEdit {
  return keys[field] ?? { kind: 'keep' }
}

export function withKey(edits: SettingsEdits, field: KeyField, edit: KeyEdit): SettingsEdits {
  const { [field]: _, ...others } = edits.keys
  return { ...edits, keys: edit.kind === 'keep' ? others : { ...others, [field]: edit } }
}

/** The key that stands in the field and is not saved yet; '' when the stored one counts. */
export function typedKey(edits: SettingsEdits, field: KeyField): string {
  const edit = keyEdit(edits, field)
  return edit.kind === 'replace' ? edit.key.trim() : ''
}

export type CheckedEdits = { ok: true; patch: SettingsPatch } | { ok: false; errors: SettingsErrors }
export type SettingsErrors = Partial<Record<string, string>>

const WHOLE = t('giveWholeNumber')
const DAYS = t('giveDays', { most: MAX_RETENTION_DAYS })
const LONG_KEY = t('keyTooLong')
const WORDS: Readonly<Record<string, string>> = {
  max_iterations: WHOLE,
  remote_runtime_resource_factor: WHOLE,
  max_running_sandboxes: WHOLE,
  archive_after_days: DAYS,
  delete_after_days: DAYS,
  condenser_max_size: t('condenserSizeProblem'),
  max_budget_per_task: t('givePositiveAmount'),
  llm_api_key: LONG_KEY,
  llm_fallback_api_key: LONG_KEY,
  search_api_key: LONG_KEY,
  sandbox_api_key: LONG_KEY,
}

/** The edits through the service's own schema: what to send, or what is wrong, by field. */
export function checkEdits(edits: SettingsEdits): CheckedEdits {
  const result = settingsPatch.safeParse(patchOf(edits))
  const errors = ownErrors(edits)
  for (const { path, message } of result.error?.issues ?? []) {
    const field = String(path[0])
    errors[field] = WORDS[field] ?? message
    if (field === 'llm_options') errors[path.join('.')] = OPTION_WORDS[path[1] as OptionField] ?? message
  }
  return result.success && Object.keys(errors).length === 0 ? { ok: true, patch: result.data } : { ok: false, errors }
}

/** The edited fields and no other: null clears a field, '' clears a key. */
function patchOf({ fields, switches, keys, servers, options }: SettingsEdits): Record<string, unknown> {
  const patch: Record<string, unknown> = { ...switches }
  for (const field of TEXT_FIELDS) {
    if (fields[field] !== undefined) patch[field] = fields[field].trim() || null
  }
  for (const field of NUMBER_FIELDS) {
    if (fields[field] !== undefined) patch[field] = fields[field].trim() ? Number(fields[field]) : null
  }
  for (const field of KEY_FIELDS) {
    const edit = keys[field]
    if (edit) patch[field] = edit.kind === 'replace' ? edit.key.trim() : ''
  }
  if (servers) patch.mcp_config = servers
  if (options) patch.llm_options = optionsPatch(options, fields.llm_model !== undefined)
  return patch
}

/** What the schema lets pass but cannot be meant: above all an empty key, which would clear the stored one. */
function ownErrors({ fields, keys }: SettingsEdits): SettingsErrors {
  const errors: SettingsErrors = {}
  for (const field of ['llm_base_url', 'llm_fallback_base_url'] as const) {
    const url = fields[field]?.trim()
    if (url && !/^https?:\/\/[^\s/]+/.test(url)) errors[field] = t('beginAddressWithHttp')
  }
  for (const field of KEY_FIELDS) {
    const edit = keys[field]
    if (edit?.kind === 'replace' && !edit.key.trim()) errors[field] = t('pasteNewKey')
  }
  for (const field of ['email', 'git_user_email'] as const) {
    const email = fields[field]?.trim()
    if (email && !/^[^\s@<>]+@[^\s@<>]+$/.test(email)) errors[field] = t('giveEmailAddress')
  }
  return errors
}

function storedText(stored: Stored, field: FormField): string {
  const value = stored?.[field] ?? null
  return value === null ? '' : String(value)
}

function storedSwitch(stored: Stored, field: SwitchField): boolean {
  const defaults: Partial<Record<string, unknown>> = DEFAULT_SETTINGS
  return stored?.[field] ?? defaults[field] === true
}
