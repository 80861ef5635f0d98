import type { CaseTable } from '../../parts/operation-case.ts'

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
    never: 'It closes the service that answers the other rows; test/api/storage.test.ts restores.',
    failures: { not_found: {} },
  },
  freeStorage: { success: { body: { kinds: ['logs'] } } },
  getEngineStorage: { success: { reply: { sandboxes: [{}] } } },
  freeEngineStorage: { success: { body: { kinds: ['unused_images'] } } },
  answerStorage: {
    success: { body: { choice: 'new' } },
    never: 'It is only for a service without a usable database; test/api/storage.test.ts answers.',
    failures: { conflict: {} },
  },
  recheckSystem: { success: { reply: { engine: { state: 'ready' } } } },
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
