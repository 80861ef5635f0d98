import type { CaseTable } from '../../parts/operation/case.ts'

const tokens = (token: string, host = '$provider') => ({ body: { provider_tokens: { gitlab: { token, host } } } })
const tokenFailures = {
  bad_request: tokens('good', 'http://user:password@localhost'),
  provider_token_invalid: tokens('wrong'),
  provider_unavailable: tokens('good', 'http://127.0.0.1:1'),
} as const
const secret = { name: '$freeName', value: 'open-sesame', description: 'For it' }
const create = {
  success: { body: secret },
  failures: {
    secret_exists: { body: { ...secret, name: '$takenSecret' } },
    bad_request: { body: { ...secret, name: 'PATH' } },
  },
} as const
const unknown = { params: { secret_id: 'UNKNOWN' } }
const update = {
  success: { params: { secret_id: '$secret' }, body: { name: '$freeName', description: 'Renamed' } },
  failures: {
    secret_not_found: unknown,
    secret_exists: { body: { name: '$takenSecret' } },
    bad_request: { body: { name: 'PATH' } },
  },
} as const
const remove = { success: { params: { secret_id: '$secret' } }, failures: { secret_not_found: unknown } } as const
const unset = { success: { needs: ['token'], reply: { message: 'Unset Git provider tokens' } } } as const
const saved = { params: { name: '$profile' } } as const
const nobody = { params: { name: 'nobody' } } as const
const before = { failures: { settings_not_found: { service: 'new' } } } as const
const store = {
  success: { body: { language: 'en', search_api_key: 'tvly-0123' } },
  failures: { bad_request: { body: { secrets_store: { custom_secrets: { PATH: 'value' } } } } },
} as const

export const SETTINGS_CASES: CaseTable = {
  getSettings: {
    success: { reply: { llm_model: 'openai/scripted', llm_api_key: null } },
    failures: { settings_not_found: { service: 'new', reply: { error: 'Settings not found' } } },
  },
  storeSettings: { ...store, success: { ...store.success, reply: { message: 'Settings stored' } } },
  resetSettings: {
    success: {},
    never: 'it was taken away in the original, too',
    failures: { gone: { reply: { error: 'Reset settings functionality has been removed.' } } },
  },
  getSettingsV1: { success: { reply: { llm_model: 'openai/scripted' } }, ...before },
  storeSettingsV1: { ...store, success: { ...store.success, reply: { language: 'en' } } },
  getUser: { success: { reply: { id: null } }, ...before },
  storeProviderTokens: {
    success: { ...tokens('good'), reply: { message: 'Git providers stored' } },
    failures: tokenFailures,
  },
  storeProviderTokensV1: {
    success: { ...tokens('good'), reply: { message: 'Git providers stored' } },
    failures: tokenFailures,
  },
  testProviderToken: {
    success: { params: { provider: 'gitlab' }, needs: ['token'], reply: { user: 'tanuki', host: '$provider' } },
    failures: {
      secret_not_found: { params: { provider: 'bitbucket' } },
      provider_token_invalid: { needs: ['revokedToken'] },
      provider_unavailable: { needs: ['lostToken'] },
    },
  },
  unsetProviderTokens: unset,
  unsetProviderTokensV1: unset,
  listLlmProfilesV1: { success: { needs: ['profile'], reply: { profiles: [{}] } } },
  getLlmProfileV1: { success: { ...saved, reply: { config: { api_key: null } } }, failures: { not_found: nobody } },
  saveLlmProfileV1: {
    success: { params: { name: '$freeName' }, body: {} },
    failures: {
      bad_request: { body: { llm: { model: ' ' } } },
      model_not_set: { settings: { llm_model: null } },
      llm_unknown_model: { body: { llm: { model: 'nobody-knows' } } },
      llm_bad_request: { body: { llm: { model: 'openai/scripted', base_url: 'ftp://there' } } },
      conflict: { service: 'full', body: { llm: { model: 'openai/scripted' } } },
    },
  },
  deleteLlmProfileV1: { success: saved },
  renameLlmProfileV1: {
    success: { ...saved, body: { new_name: '$freeName' } },
    failures: { not_found: nobody, conflict: { body: { new_name: '$takenProfile' } } },
  },
  activateLlmProfileV1: { success: { ...saved, settings: { language: 'en' } }, failures: { not_found: nobody } },
  switchLlmProfileV1: {
    success: { params: { conversation_id: '$new' }, body: { profile_name: '$profile' } },
    failures: {
      not_found: { body: { profile_name: 'nobody' } },
      model_not_set: { body: { profile_name: null }, settings: { llm_model: null } },
    },
  },
  listSecrets: { success: {} },
  createSecret: { ...create, success: { ...create.success, reply: { message: 'Secret created successfully' } } },
  updateSecret: { ...update, success: { ...update.success, reply: { message: 'Secret updated successfully' } } },
  deleteSecret: { ...remove, success: { ...remove.success, reply: { message: 'Secret deleted successfully' } } },
  searchSecretsV1: { success: {} },
  createSecretV1: { ...create, success: { ...create.success, reply: { description: 'For it' } } },
  updateSecretV1: {
    ...update,
    success: {
      ...update.success,
      body: { ...update.success.body, value: 'sesame-anew' },
      reply: { description: 'Renamed' },
    },
  },
  deleteSecretV1: { ...remove, success: { ...remove.success, reply: { success: true } } },
}
