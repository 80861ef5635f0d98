import type { CaseTable } from '../../parts/operation/case.ts'

/** Needs the app's own key. */
const owner = { key: 'app' } as const
const exposed = { headers: { 'X-Expose-Secrets': 'everything' } }
const forbidden = { key: 'sandbox' } as const
const PROFILE = { ...owner, params: { name: '$profile' } }
const nobody = { params: { name: 'nobody' } }
const llm = { model: 'openai/scripted', base_url: '$model' }
const noAddress = { body: { llm: { ...llm, base_url: 'ftp://there' } } }
const unknownModel = { body: { llm: { model: 'nobody-knows' } } }
const command = { command: 'run-it' }
const mcp_config = {
  stdio_servers: [{ name: 'mine', ...command, args: [], env: {} }],
  shttp_servers: [],
  sse_servers: [],
}
const SERVER = { ...owner, params: { key: 'mine' }, settings: { mcp_config } }
const secret = { name: '$freeName', value: 'open-sesame' }

export const GATEWAY_SETTINGS_CASES: CaseTable = {
  listLlmProfiles: { success: { ...owner, needs: ['profile'], reply: { profiles: [{}] } }, failures: { forbidden } },
  getLlmProfile: {
    success: { ...PROFILE, reply: { config: { api_key: null } } },
    failures: { forbidden, bad_request: exposed, not_found: nobody },
  },
  saveLlmProfile: {
    success: { ...PROFILE, body: { llm: { ...llm, api_key: 'sk-profile-0123' } } },
    failures: {
      forbidden,
      bad_request: { body: { llm: {} } },
      llm_unknown_model: unknownModel,
      llm_bad_request: noAddress,
      conflict: { service: 'full', params: { name: 'one-more' } },
    },
  },
  deleteLlmProfile: { success: PROFILE, failures: { forbidden } },
  renameLlmProfile: {
    success: { ...PROFILE, body: { new_name: '$freeName' } },
    failures: { forbidden, not_found: nobody, conflict: { body: { new_name: '$takenProfile' } } },
  },
  activateLlmProfile: {
    success: { ...PROFILE, reply: { llm_applied: true }, settings: { language: 'en' } },
    failures: { forbidden, not_found: nobody },
  },
  validateLlmProfile: {
    success: { ...PROFILE, body: { llm }, reply: { valid: true } },
    failures: {
      forbidden,
      bad_request: { body: { llm: {} } },
      llm_unknown_model: unknownModel,
      llm_bad_request: noAddress,
    },
  },
  switchLlmProfile: {
    success: { params: { conversation_id: '$new' }, body: { profile_name: '$profile' }, reply: { success: true } },
    failures: { not_found: { body: { profile_name: 'nobody' } } },
  },
  getGatewaySettings: {
    success: { ...owner, headers: { 'X-Expose-Secrets': 'plaintext' }, reply: { llm_api_key_is_set: true } },
    failures: { forbidden, bad_request: exposed },
  },
  updateGatewaySettings: {
    success: {
      ...owner,
      body: { agent_settings_diff: { llm: { model: 'openai/scripted', api_key: 'sk-furnished-0123' } } },
    },
    failures: {
      forbidden,
      bad_request: { body: {} },
      not_supported: [
        { body: { agent_settings_diff: { agent_kind: 'acp' } } },
        { body: { active_agent_profile_id: 'mine' } },
        { body: { conversation_settings_diff: { nobody_knows: true } } },
      ],
      not_found: { body: { active_profile: 'nobody' } },
    },
  },
  createGatewayToolServer: {
    success: { ...SERVER, params: { key: '$freeName' }, body: command },
    failures: {
      forbidden,
      conflict: { params: { key: 'mine' } },
      not_supported: { body: { ...command, cwd: '/tmp' } },
    },
  },
  updateGatewayToolServer: {
    success: { ...SERVER, body: { args: ['--fast'] } },
    failures: {
      forbidden,
      not_found: { params: { key: 'nobody' } },
      bad_request: { body: { command: null } },
      not_supported: { body: { enabled: false } },
    },
  },
  deleteGatewayToolServer: { success: SERVER, failures: { forbidden, not_found: { params: { key: 'nobody' } } } },
  getAgentSettingsSchema: { success: {} },
  getConversationSettingsSchema: { success: {} },
  listGatewaySecrets: { success: owner, failures: { forbidden } },
  putGatewaySecret: {
    success: { ...owner, body: secret },
    failures: { forbidden, bad_request: { body: { ...secret, name: 'PATH' } } },
  },
  deleteGatewaySecret: {
    success: { ...owner, params: { name: '$secret' }, reply: { deleted: true } },
    failures: { forbidden, secret_not_found: { params: { name: 'UNKNOWN' } } },
  },
}
