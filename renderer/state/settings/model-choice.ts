import type { SettingsPatch } from '../../../server/api/v1/settings/settings.ts'
import { t } from './text.ts'

/** The ways to a model that the first run offers; any other provider/model name works in Settings. */
export const PROVIDERS = [
  { value: 'anthropic', label: 'Anthropic', keysAt: 'https://console.anthropic.com/settings/keys' },
  { value: 'openai', label: 'OpenAI', keysAt: 'https://platform.openai.com/api-keys' },
  { value: 'gemini', label: 'Google', keysAt: 'https://aistudio.google.com/apikey' },
  { value: 'compatible', label: t('openAICompatibleServer'), keysAt: null },
] as const
type ProviderName = (typeof PROVIDERS)[number]['value']

export interface ModelChoice {
  provider: ProviderName
  model: string
  baseUrl: string
  key: string
}

export const EMPTY_CHOICE: ModelChoice = { provider: 'anthropic', model: '', baseUrl: '', key: '' }

/** The three settings of a choice. A provider of its own address clears the base URL that another one left behind. */
export function choiceSettings({ provider, model, baseUrl, key }: ModelChoice): SettingsPatch {
  return {
    llm_model: model.trim(),
    llm_base_url: provider === 'compatible' ? baseUrl.trim() : null,
    ...(key.trim() ? { llm_api_key: key.trim() } : {}),
  }
}

/** What is missing before the choice can be tested or saved. `keyIsSet`: null while the keychain cannot be read. */
export function choiceProblem({ provider, model, baseUrl, key }: ModelChoice, keyIsSet: boolean | null): string | null {
  if (!model.trim()) return t('chooseModelFirst')
  if (provider === 'compatible') return /^https?:\/\/\S+$/.test(baseUrl.trim()) ? null : t('giveServersAddressFirst')
  if (keyIsSet === null) return t('unlockKeychainFirst')
  return key.trim() || keyIsSet ? null : t('pasteKeyFirst')
}
