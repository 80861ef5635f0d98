import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

export const FIRST_ID = '0f8d3a4f5c1e4b7f9a2d6c3e8b1f4a70'
export const SECOND_ID = '5b2e9c7a1d3f4e6a8b0c2d4e6f8a0b1c'
export const NUMBERED_ID = 'c0ffee00c0ffee00c0ffee00c0ffee00'

/** A folder as OpenHands leaves one: relative paths and what is in them; what is no text is written as JSON. */
export function aFolder(files: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-openhands-'))
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const call = (id: string, name: string) => ({
  function_name: name,
  tool_call_id: id,
  model_response: { id: `resp_${id}`, choices: [{ message: { role: 'assistant', content: '' } }] },
  total_calls_in_response: 1,
})

const at = (second: number) => `2025-06-02T09:00:${String(second).padStart(2, '0')}.123456`

/** A log of the first generation, with its numbers. */
export const FIRST_EVENTS: Record<string, unknown>[] = [
  { id: 0, timestamp: at(0), source: 'agent', action: 'system', args: { content: 'You are an agent.', tools: [] } },
  {
    id: 1,
    timestamp: at(1),
    source: 'user',
    action: 'message',
    args: { content: 'Fix the failing test', image_urls: [] },
  },
  { id: 2, timestamp: at(2), source: 'user', action: 'recall', args: { recall_type: 'workspace_context' } },
  { id: 3, timestamp: at(2), source: 'environment', cause: 2, observation: 'recall', content: 'Added', extras: {} },
  {
    ...{ id: 4, timestamp: at(3), source: 'agent', action: 'run', tool_call_metadata: call('c1', 'execute_bash') },
    args: { command: 'npm test', thought: 'I look at the tests.', is_input: 'false', security_risk: 0 },
    llm_metrics: {
      accumulated_cost: 0.02,
      accumulated_token_usage: { model: 'm', prompt_tokens: 100, completion_tokens: 10 },
      costs: [{ model: 'm', cost: 0.02 }],
      token_usages: [{ model: 'm', prompt_tokens: 100, completion_tokens: 10, response_id: 'r1' }],
    },
  },
  {
    ...{ id: 5, timestamp: at(4), source: 'agent', cause: 4, observation: 'run', content: '1 failed' },
    ...{
      extras: { command: 'npm test', metadata: { exit_code: 1, pid: 7, working_dir: '/workspace' } },
      success: false,
    },
  },
  {
    ...{ id: 6, timestamp: at(5), source: 'agent', action: 'edit' },
    args: { path: '/workspace/a.ts', command: 'str_replace', old_str: 'a', new_str: 'b', impl_source: 'oh_aci' },
  },
  {
    ...{ id: 7, timestamp: at(6), source: 'agent', cause: 6, observation: 'edit', content: 'Edited.' },
    extras: { path: '/workspace/a.ts', prev_exist: true, old_content: 'a', new_content: 'b' },
  },
  { id: 8, timestamp: at(7), source: 'agent', action: 'read', args: { path: '/workspace/b.ts' } },
  { id: 9, timestamp: at(8), source: 'agent', action: 'teleport', args: { where: 'home' } },
  { id: 10, timestamp: at(9), source: 'agent', action: 'finish', args: { final_thought: 'It passes.', outputs: {} } },
  { id: 11, timestamp: at(9), source: 'environment', observation: 'agent_state_changed', content: '', extras: {} },
]

const now = (second: number) => `2025-11-02T09:00:${String(second).padStart(2, '0')}.000001`

/** A log of the second generation. */
const SECOND_EVENTS: Record<string, unknown>[] = [
  {
    ...{ kind: 'MessageEvent', id: 'a1', timestamp: now(1), source: 'user', llm_response_id: null },
    llm_message: { role: 'user', content: [{ type: 'text', text: 'Say the time', cache_prompt: false }] },
    ...{ activated_skills: [], extended_content: [] },
  },
  {
    ...{ kind: 'ActionEvent', id: 'a2', timestamp: now(2), source: 'agent', thought: [], reasoning_content: null },
    ...{
      tool_name: 'execute_bash',
      tool_call_id: 'k1',
      llm_response_id: 'r',
      security_risk: 'LOW',
      thinking_blocks: [],
    },
    action: { kind: 'ExecuteBashAction', command: 'date', is_input: false, timeout: null, reset: false },
    tool_call: { id: 'k1', type: 'function', function: { name: 'execute_bash', arguments: '{"command":"date"}' } },
  },
  {
    ...{ kind: 'ObservationEvent', id: 'a3', timestamp: now(3), source: 'environment', tool_name: 'execute_bash' },
    ...{ tool_call_id: 'k1', action_id: 'a2' },
    observation: { kind: 'ExecuteBashObservation', output: 'Monday', exit_code: 0, error: false, command: 'date' },
  },
  {
    ...{ kind: 'ConversationStateUpdateEvent', id: 'a4', timestamp: now(4), source: 'environment', key: 'stats' },
    value: { usage_to_metrics: { agent: { model_name: 'm', accumulated_cost: 0.5, accumulated_token_usage: null } } },
  },
  {
    kind: 'ConversationStateUpdateEvent',
    id: 'a5',
    timestamp: now(4),
    source: 'environment',
    key: 'full_state',
    value: {},
  },
  { kind: 'WeatherEvent', id: 'a6', timestamp: now(5), source: 'environment' },
]

export function firstGeneration(id = FIRST_ID, events = FIRST_EVENTS): Record<string, unknown> {
  return {
    [`sessions/${id}/metadata.json`]: {
      ...{ conversation_id: id, title: 'The failing test', selected_repository: 'me/app', selected_branch: 'main' },
      ...{ git_provider: 'github', trigger: 'gui', created_at: '2025-06-02T09:00:00+00:00', accumulated_cost: 0.02 },
      ...{ last_updated_at: '2025-06-02T09:00:09+00:00', prompt_tokens: 100, completion_tokens: 10 },
    },
    [`sessions/${id}/event_cache/0-25.json`]: events,
    ...Object.fromEntries(events.map((event, index) => [`sessions/${id}/events/${index}.json`, event])),
  }
}

/** As the app keeps them: names that say nothing of the order. */
export function timedEvents(id = SECOND_ID): Record<string, unknown> {
  const name = (index: number) => String(9 - index).repeat(32)
  return Object.fromEntries(SECOND_EVENTS.map((event, index) => [`v1_conversations/${id}/${name(index)}.json`, event]))
}

/** As an agent server keeps them. */
export function numberedEvents(id = NUMBERED_ID): Record<string, unknown> {
  const path = (index: number) =>
    `conversations/${id}/events/event-${String(index).padStart(5, '0')}-a${index + 1}.json`
  return {
    [`conversations/${id}/base_state.json`]: {
      ...{ id, agent: { llm: { model: 'anthropic/claude' } }, workspace: { working_dir: '/workspace/project' } },
      ...{ execution_status: 'finished', max_iterations: 77 },
      stats: { usage_to_metrics: { agent: { model_name: 'm', accumulated_cost: 0.5 } } },
    },
    ...Object.fromEntries(SECOND_EVENTS.map((event, index) => [path(index), event])),
  }
}

/** The app's database, with one conversation. @returns the connection, still open */
export function aDatabase(folder: string, id = SECOND_ID): InstanceType<typeof DatabaseSync> {
  const database = new DatabaseSync(join(folder, 'openhands.db'))
  database.exec(
    'CREATE TABLE conversation_metadata (conversation_id TEXT, title TEXT, selected_repository TEXT, pr_number TEXT, created_at TEXT, last_updated_at TEXT, accumulated_cost REAL)',
  )
  const values = [id, 'The time', 'me/clock', '[7]', '2025-11-02 09:00:00.000001', '2025-11-02 09:00:05', 0.5]
  database.prepare('INSERT INTO conversation_metadata VALUES (?, ?, ?, ?, ?, ?, ?)').run(...values)
  return database
}

export const SETTINGS = {
  ...{ language: 'de', llm_model: 'openai/gpt-9', llm_api_key: 'key-of-the-model', llm_base_url: null },
  ...{ max_iterations: 40, git_user_name: 'openhands', secrets_store: { provider_tokens: {} } },
  mcp_config: {
    sse_servers: [],
    stdio_servers: [],
    shttp_servers: [{ url: 'https://tools.example/mcp', api_key: null }],
  },
}

export const SECRETS = {
  provider_tokens: { github: { token: 'ghp_of_a_person', host: null, user_id: null }, svn: { token: 'x' } },
  custom_secrets: { NPM_TOKEN: { secret: 'npm-of-a-person', description: 'For publishing' } },
}
