import type { SettingsFieldSchema, SettingsSchema } from '../../api/agent-server/settings.ts'
import { DEFAULT_SETTINGS, type SettingsPatch } from '../../api/v1/settings/settings.ts'
import type { Settings } from '../../settings/service.ts'

/** A setting of the app, and where agent servers have it. */
interface Field {
  /** Path within agent_settings or conversation_settings. */
  key: string
  setting: keyof SettingsPatch & (keyof Settings | 'llm_api_key')
  label: string
  description: string
  value_type: SettingsFieldSchema['value_type']
  prominence: SettingsFieldSchema['prominence']
  choices?: SettingsFieldSchema['choices']
  depends_on?: string[]
}

export interface FieldGroup {
  model_name: string
  fields: readonly Field[]
}

const SECTIONS: Readonly<Record<string, string>> = {
  llm: 'LLM',
  condenser: 'Condenser',
  general: 'General',
  verification: 'Verification',
}

export const AGENT_FIELDS: FieldGroup = {
  model_name: 'AgentSettings',
  fields: [
    {
      key: 'llm.model',
      setting: 'llm_model',
      label: 'Model',
      description: 'provider/model',
      value_type: 'string',
      prominence: 'critical',
    },
    {
      key: 'llm.api_key',
      setting: 'llm_api_key',
      label: 'API key',
      description: 'Goes to the keychain and is never shown.',
      value_type: 'string',
      prominence: 'critical',
    },
    {
      key: 'llm.base_url',
      setting: 'llm_base_url',
      label: 'Base URL',
      description: 'Empty for the provider’s own address.',
      value_type: 'string',
      prominence: 'major',
    },
    {
      key: 'condenser.enabled',
      setting: 'enable_default_condenser',
      label: 'Sum up long conversations',
      description: 'Off: only on request, or when the model refuses the length.',
      value_type: 'boolean',
      prominence: 'minor',
    },
    {
      key: 'condenser.max_size',
      setting: 'condenser_max_size',
      label: 'Events before earlier ones are summed up',
      description: 'At least 20.',
      value_type: 'integer',
      prominence: 'minor',
      depends_on: ['condenser.enabled'],
    },
  ],
}

export const CONVERSATION_FIELDS: FieldGroup = {
  model_name: 'ConversationSettings',
  fields: [
    {
      key: 'max_iterations',
      setting: 'max_iterations',
      label: 'Steps',
      description: 'A conversation pauses after so many.',
      value_type: 'integer',
      prominence: 'major',
    },
    {
      key: 'max_budget_per_task',
      setting: 'max_budget_per_task',
      label: 'Budget',
      description: 'In US dollars; a conversation pauses when it is spent.',
      value_type: 'number',
      prominence: 'major',
    },
    {
      key: 'confirmation_mode',
      setting: 'confirmation_mode',
      label: 'Ask before actions',
      description: 'Which ones is for the analyzer to say; all without one.',
      value_type: 'boolean',
      prominence: 'critical',
    },
    {
      key: 'security_analyzer',
      setting: 'security_analyzer',
      label: 'Security analyzer',
      description: 'Who rates the risk of actions.',
      value_type: 'string',
      prominence: 'major',
      choices: [
        { label: 'The model', value: 'llm' },
        { label: 'Rules', value: 'local' },
        { label: 'Nobody', value: 'none' },
      ],
      depends_on: ['confirmation_mode'],
    },
  ],
}

/** For forms. */
export function schemaOf({ model_name, fields }: FieldGroup): SettingsSchema {
  const keys = [...new Set(fields.map(sectionOf))]
  const sections = keys.map(key => ({
    key,
    label: labelOf(key),
    fields: fields.filter(field => sectionOf(field) === key).map(shown),
  }))
  return { model_name, sections }
}

/** Values by their paths. */
export function toTree({ fields }: FieldGroup, values: Partial<Record<Field['setting'], unknown>>) {
  const tree: Record<string, unknown> = {}
  for (const { key, setting } of fields) {
    const [first = '', second] = key.split('.')
    const value = values[setting] ?? null
    tree[first] = second === undefined ? value : { ...(tree[first] as object | undefined), [second]: value }
  }
  return tree
}

/** What a tree names of the settings. */
export function fromTree({ fields }: FieldGroup, tree: Readonly<Record<string, unknown>>): SettingsPatch {
  const found = fields.map(({ key, setting }): [string, unknown] => {
    const [first = '', second] = key.split('.')
    const value = tree[first]
    if (second === undefined) return [setting, value]
    return [setting, (value as Record<string, unknown> | null | undefined)?.[second]]
  })
  // The contract has given each value its type.
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as SettingsPatch
}

/** The first parts of the paths. */
export function rootsOf({ fields }: FieldGroup): Set<string> {
  return new Set(fields.map(({ key }) => key.split('.')[0] ?? ''))
}

function shown(field: Field): SettingsFieldSchema {
  const { key, setting, label, description, value_type, prominence, choices = [], depends_on = [] } = field
  const section = sectionOf(field)
  const defaults: Partial<Record<string, unknown>> = DEFAULT_SETTINGS
  return {
    key,
    label,
    description,
    section,
    section_label: labelOf(section),
    value_type,
    default: defaults[setting] ?? null,
    choices,
    depends_on,
    prominence,
    secret: setting === 'llm_api_key',
  }
}

function sectionOf({ key, setting }: Field): string {
  if (key.includes('.')) return key.split('.')[0] ?? ''
  return setting === 'confirmation_mode' || setting === 'security_analyzer' ? 'verification' : 'general'
}

function labelOf(section: string): string {
  return SECTIONS[section] ?? section
}
