import { type SettingsPatch, type SettingsReply, settingsPatch } from '../../server/api/settings.ts'

/** Fields that the settings page edits as text; '' is "not set". */
export const TEXT_FIELDS = [
  'llm_model',
  'llm_base_url',
  'git_user_name',
  'git_user_email',
  'sandbox_base_container_image',
  'sandbox_runtime_container_image',
] as const
export const NUMBER_FIELDS = ['max_iterations', 'max_budget_per_task', 'remote_runtime_resource_factor'] as const

export type FormField = (typeof TEXT_FIELDS)[number] | (typeof NUMBER_FIELDS)[number]

/** What happens to the stored model key at the next save. It is never read back. */
export type KeyEdit = { kind: 'keep' } | { kind: 'replace'; key: string } | { kind: 'clear' }

/** What was typed and is not saved: only the fields that differ from what is stored. */
export interface SettingsEdits {
  fields: Partial<Record<FormField, string>>
  key: KeyEdit
}

export const NO_EDITS: SettingsEdits = { fields: {}, key: { kind: 'keep' } }

export function countEdits({ fields, key }: SettingsEdits): number {
  return Object.keys(fields).length + (key.kind === 'keep' ? 0 : 1)
}

/** What a field shows: the typed text, else the stored value. */
export function fieldText({ fields }: SettingsEdits, stored: SettingsReply | null, field: FormField): string {
  return fields[field] ?? storedText(stored, field)
}

/** The edits after typing; a field that is as stored again is no edit. */
export function withEdit(
  edits: SettingsEdits,
  stored: SettingsReply | null,
  field: FormField,
  text: string,
): SettingsEdits {
  const { [field]: _, ...others } = edits.fields
  return { ...edits, fields: text === storedText(stored, field) ? others : { ...others, [field]: text } }
}

export type CheckedEdits = { ok: true; patch: SettingsPatch } | { ok: false; errors: SettingsErrors }
export type SettingsErrors = Partial<Record<string, string>>

const WORDS: Readonly<Record<string, string>> = {
  max_iterations: 'Give a whole number, 1 or more.',
  remote_runtime_resource_factor: 'Give a whole number, 1 or more.',
  max_budget_per_task: 'Give an amount above 0, or nothing for no budget.',
  llm_api_key: 'A key has 8,192 characters at most.',
}

/** The edits through the service's own schema: what to send, or what is wrong, by field. */
export function checkEdits(edits: SettingsEdits): CheckedEdits {
  const result = settingsPatch.safeParse(patchOf(edits))
  const errors = ownErrors(edits)
  for (const { path, message } of result.error?.issues ?? []) {
    const field = String(path[0])
    errors[field] = WORDS[field] ?? message
  }
  return result.success && Object.keys(errors).length === 0 ? { ok: true, patch: result.data } : { ok: false, errors }
}

/** The edited fields and no other: null clears a field, '' clears the key. */
function patchOf({ fields, key }: SettingsEdits): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const field of TEXT_FIELDS) {
    if (fields[field] !== undefined) patch[field] = fields[field].trim() || null
  }
  for (const field of NUMBER_FIELDS) {
    if (fields[field] !== undefined) patch[field] = fields[field].trim() ? Number(fields[field]) : null
  }
  if (key.kind === 'clear') patch.llm_api_key = ''
  if (key.kind === 'replace') patch.llm_api_key = key.key.trim()
  return patch
}

/** What the schema lets pass but cannot be meant: above all an empty key, which would clear the stored one. */
function ownErrors({ fields, key }: SettingsEdits): SettingsErrors {
  const errors: SettingsErrors = {}
  const url = fields.llm_base_url?.trim()
  if (url && !/^https?:\/\/[^\s/]+/.test(url)) errors.llm_base_url = 'Begin the address with http:// or https://.'
  if (key.kind === 'replace' && !key.key.trim()) errors.llm_api_key = 'Paste the new key, or keep the stored one.'
  return errors
}

function storedText(stored: SettingsReply | null, field: FormField): string {
  const value = stored?.[field] ?? null
  return value === null ? '' : String(value)
}
