import type { CaseTable } from '../../parts/operation/case.ts'

export const SYSTEM_CASES: CaseTable = {
  getSystem: { success: { reply: { engine: { state: 'ready' } } } },
  getStorage: { success: { reply: { question: null } } },
  makeBackup: { success: { reply: { kind: 'manual' } } },
  deleteBackup: {
    success: { params: { name: '$backup' } },
    failures: { not_found: { params: { name: 'no-such-backup' } } },
  },
  restoreBackup: {
    success: { params: { name: 'no-such-backup' } },
    never: 'It closes the service that answers the other rows; test/api/settings/storage.test.ts restores.',
    failures: { not_found: {} },
  },
  eraseStorage: {
    success: { body: { confirmation: 'delete all data' } },
    never: 'It deletes what the other rows need; test/api/settings/erase.test.ts erases.',
    failures: {},
  },
  previewRetention: {
    success: { query: { archive_after_days: 3650, delete_after_days: 3650 }, reply: { archived: 0, deleted: 0 } },
  },
  freeStorage: { success: { body: { kinds: ['logs'] } } },
  getEngineStorage: {
    success: { reply: { sandboxes: [{}] } },
    failures: { not_found: { query: { engine_id: 'unknown' } } },
  },
  freeEngineStorage: {
    success: { body: { kinds: ['unused_images'] } },
    failures: { not_found: { body: { kinds: ['unused_images'], engine_id: 'unknown' } } },
  },
  listRemovable: {
    success: {},
    failures: { not_found: { query: { engine_id: 'unknown' } } },
  },
  removeRemovable: {
    success: {
      body: { items: [{ kind: 'cache', id: 'atelier-cache-of-nobody' }] },
      reply: { items: [{ state: 'gone', problem: null }] },
    },
    failures: { not_found: { body: { engine_id: 'unknown', items: [{ kind: 'cache', id: 'any' }] } } },
  },
  answerStorage: {
    success: { body: { choice: 'new' } },
    never: 'It is only for a service without a usable database; test/api/settings/storage.test.ts answers.',
    failures: { conflict: {} },
  },
  recheckSystem: { success: { reply: { engine: { state: 'ready' } } } },
  runCheck: {
    success: {
      params: { check: 'engine' },
      query: { engine_id: 'default' },
      reply: { engine_id: 'default', state: 'ok', finding: 'engine_answers' },
    },
    failures: { not_found: { params: { check: 'clock' }, query: { engine_id: 'unknown' } } },
  },
  diagnoseModel: { success: { reply: { check: 'model' } } },
  getLog: { success: { reply: { began_anew: false } } },
  unlockKeychain: { success: { reply: { engine: { state: 'ready' } } } },
  detectModels: { success: { reply: {} } },
  testModel: {
    success: { body: { llm_api_key: 'sk-other' }, reply: { ok: true } },
    failures: { model_not_set: { service: 'new' } },
  },
  listModels: { success: {} },
  login: {
    success: { body: { code: '$loginCode' } },
    failures: { unauthorized: { body: { code: 'guessed' } } },
  },
  alive: { success: { reply: { status: 'ok' } } },
  health: { success: { reply: 'OK' } },
  getLocalApiKey: { success: { reply: { can_rotate: true } } },
  rotateLocalApiKey: { success: { service: 'own key' }, failures: { conflict: { service: 'given key' } } },
  listLogins: { success: {} },
  endLogin: {
    success: { params: { login_id: '$browserLogin' } },
    failures: { not_found: { params: { login_id: 'no-such-login' } } },
  },
  endLogins: { success: { reply: { success: true } } },
  searchModels: { success: { query: { limit: 1 }, reply: { items: [{}] } } },
  searchModelProviders: { success: { query: { limit: 1 }, reply: { items: [{}] } } },
  getWebClientConfig: { success: { reply: { app_mode: 'oss' } } },
  getUsage: { success: { query: { days: 7 } } },
  getModelOptions: { success: {} },
  getAgentOptions: { success: { reply: ['CodeActAgent'] } },
  getSecurityAnalyzers: { success: {} },
  getConfigOptions: { success: { reply: { APP_MODE: 'oss' } } },
  getServerInfo: { success: {} },
}
