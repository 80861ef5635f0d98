export type Cell = string | number | null

export const ID = 'a'.repeat(32)
/** It is being deleted. */
export const OTHER_ID = 'b'.repeat(32)
const NOW = '2026-01-01T00:00:00.000Z'
const TRUSTED = {
  role: 'setup_script',
  path: '.openhands/setup.sh',
  sha256: 'h',
  files: [],
  trusted_at: NOW,
  secrets: [],
}
const ATTEMPTS = {
  task: 't',
  check: null,
  attempts: [
    {
      conversation_id: ID,
      start_task_id: ID,
      llm_model: null,
      result: { steps: 1, changes: { files: 1, additions: 1, deletions: 0 }, check: null, detail: null },
    },
  ],
}

/** Of each table that a new service leaves empty, a row that it could have written. */
export const WHOLE_ROWS: Record<string, Record<string, Cell>> = {
  meta: { name: 'gateway_misc_settings', value: '{}' },
  setting: { name: 'git_user_name', value: '"Somebody"' },
  event: { conversation_id: ID, seq: 0, id: 'e', kind: 'MessageEvent', timestamp: NOW, body: '{}' },
  start_task: { id: ID, conversation_id: ID, created_at: NOW, updated_at: NOW, body: '{}' },
  secret: { name: 'WHOLE', description: '', vault_item: 'v', created_at: NOW },
  provider_token: {
    provider: 'gitlab',
    host: null,
    user_id: null,
    vault_item: 'p',
    software: null,
    renewal: JSON.stringify({ vault_item: 'r', client_id: 'c', expires_at: 1 }),
  },
  stray_vault_item: { name: 's' },
  gateway_conversation: { conversation_id: ID, body: '{}' },
  engine: {
    id: 'engine-whole',
    created_at: NOW,
    name: 'Whole',
    address: JSON.stringify({ kind: 'context', name: 'whole' }),
  },
  sandbox_idle_pause: { sandbox_id: 's', minutes: 60, engine_id: 'default' },
  sandbox_spec: { id: 's', created_at: NOW, body: '{}' },
  sandbox_spec_default: { spec_id: 's', settings_image: '' },
  pending_message: { position: 1, conversation_id: ID, id: 'm', body: '{}' },
  reported_conversation: { conversation_id: OTHER_ID },
  reported_event: { conversation_id: OTHER_ID, event_id: 'e' },
  experiment_config: { conversation_id: ID, body: '{}' },
  conversation_knowledge: { conversation_id: ID, body: '{}' },
  conversation_tool_servers: { conversation_id: ID, vault_item: 't' },
  usage_day: {
    day: '2026-01-01',
    model: 'm',
    usage_id: 'agent',
    steps: 1,
    prompt_tokens: 1,
    completion_tokens: 1,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    cost: 1,
    unknown_cost_steps: 0,
  },
  conversation_secrets: { conversation_id: ID, vault_item: 'c', told: '[]' },
  llm_profile: { name: 'whole', model: 'openai/gpt-5', base_url: null, vault_item: null, options: '{}' },
  sub_agent: { conversation_id: ID, body: '{}' },
  checkpoint: {
    ...{ id: 1, conversation_id: ID, seq: 3, created_at: NOW, tree: '0'.repeat(40), reason: 'turn' },
    after_gap: 0,
  },
  sandbox_removal: { sandbox_id: 'atelier-gone', reason: 'deleted', engine_id: 'default' },
  sandbox_network: {
    sandbox_id: 'atelier-none',
    body: JSON.stringify({ network: 'none', allowlist: { presets: [], hosts: [] } }),
    engine_id: 'default',
  },
  sandbox_state: { sandbox_id: 'atelier-none', body: '{}', engine_id: 'default' },
  conversation_deletion: { conversation_id: OTHER_ID, keep_sandbox: 0 },
  confirmed_folder: { path: '/home/whole', confirmed_at: NOW },
  trusted_repository: { repository: 'whole/repository', sha256: 'h', trusted_at: NOW, body: JSON.stringify(TRUSTED) },
  conversation_repository: { conversation_id: ID, repository: 'r', body: '{}' },
  legacy_conversation: { conversation_id: ID, name: null },
  attempts: { id: 'a', conversation_id: ID, created_at: NOW, body: JSON.stringify(ATTEMPTS) },
}
