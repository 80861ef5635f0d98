import { expect } from 'vitest'
import { said, tool } from '../../parts/client/gateway-conversation.ts'
import { type Begun, type FieldCase, systemOf, toolNames } from '../../parts/gateway-fields.ts'

const FINISH = tool('finish', { message: 'All done.' })
const refused = (value: unknown, ...inert: unknown[]): FieldCase => ({ refused: value, inert })
const system = ({ requests: [request] }: Begun) => (request ? systemOf(request) : '')
const tools = ({ requests: [request] }: Begun) => (request ? toolNames(request) : [])
const text = ({ requests }: Begun) => JSON.stringify(requests.at(-1)?.body.messages)
const think = (thought: string) => tool('think', { thought })

/** Each field of an agent, as a start request names it. */
export const AGENT_FIELDS: Readonly<Record<string, FieldCase>> = {
  kind: { refused: 'ACPAgent', inert: ['Agent'], status: 501 },
  agent_kind: { refused: 'acp', inert: ['openhands'], status: 501 },
  schema_version: refused(2, 1),
  llm: {
    given: { temperature: 0.75 },
    sees: ({ requests: [request] }) =>
      expect([request?.model, request?.body.temperature]).toEqual(['of-the-settings', 0.75]),
  },
  mcp_config: {
    given: { unreachable: { transport: 'stdio', command: 'no-such-program' } },
    sees: async ({ id, appCall }) => {
      const { items } = await appCall(`/api/v1/app-conversations/${id}/mcp-servers`)
      expect(items.map(({ name }: { name: string }) => name)).toEqual(['unreachable'])
    },
  },
  tools: {
    given: [{ name: 'TerminalTool' }, { name: 'planning_file_editor', params: {} }],
    sees: begun => expect(tools(begun).sort()).toEqual(['finish', 'planning_file_editor', 'terminal', 'think']),
  },
  filter_tools_regex: {
    given: 't(erminal|ask_)',
    sees: begun => expect(tools(begun).sort()).toEqual(['finish', 'task_tracker', 'terminal', 'think']),
  },
  include_default_tools: {
    given: ['FinishTool'],
    sees: begun => {
      expect(tools(begun)).toContain('finish')
      expect(tools(begun)).not.toContain('think')
    },
  },
  system_prompt: {
    given: 'You are a poet.',
    sees: begun => {
      expect(system(begun)).toContain('You are a poet.')
      expect(system(begun)).not.toContain('software engineer')
    },
  },
  agent_context: {
    given: { system_message_suffix: 'Speak softly.' },
    sees: begun => expect(system(begun)).toContain('Speak softly.'),
  },
  condenser: {
    given: { kind: 'LLMSummarizingCondenser', max_size: 20, keep_first: 2, llm: null },
    turns: [
      ...[...Array(14).keys()].map(index => think(`thought ${index}`)),
      { text: 'A summary of it.' },
      ...[...Array(3).keys()].map(() => FINISH),
    ],
    sees: ({ events, info }) => {
      expect(events.map(({ kind }) => kind)).toContain('Condensation')
      expect(Object.keys(info.stats.usage_to_metrics)).toContain('condenser')
    },
  },
  system_prompt_filename: refused('other.j2', 'system_prompt.j2'),
  security_policy_filename: refused('/etc/policy.md', 'security_policy.j2'),
  system_prompt_kwargs: refused({ cli_mode: true }, { llm_security_analyzer: true }, {}),
  tool_concurrency_limit: refused(4, 1),
  critic: refused({ kind: 'PassCritic' }),
  verification: refused({ critic_enabled: true }, {}),
}

export const SKILL = { name: 'release-notes', content: 'Write them in verse.', source: 'team' }

/** Each field of what the agent is given beside its instructions. */
export const CONTEXT_FIELDS: Readonly<Record<string, FieldCase>> = {
  secrets: {
    given: { DEPLOY_TOKEN: 'open-sesame-0123' },
    sees: begun => expect(system(begun)).toContain('DEPLOY_TOKEN'),
  },
  skills: { given: [SKILL], sees: begun => expect(system(begun)).toContain('Write them in verse.') },
  disabled_skills: {
    given: ['Release-Notes'],
    with: { skills: [SKILL] },
    sees: begun => expect(system(begun)).not.toContain('Write them in verse.'),
  },
  load_project_skills: { given: false, sees: begun => expect(system(begun)).not.toContain('Rule of the project') },
  load_user_skills: { given: false, sees: begun => expect(system(begun)).not.toContain('Rule of the user') },
  load_memory: { given: false, sees: begun => expect(system(begun)).not.toContain('Memory of the') },
  memory_context: {
    given: 'Memory that the client has kept.',
    sees: begun => {
      expect(system(begun)).toContain('Memory that the client has kept.')
      expect(system(begun)).not.toContain('Memory of the project')
    },
  },
  system_message_suffix: { given: 'Speak softly.', sees: begun => expect(system(begun)).toContain('Speak softly.') },
  user_message_suffix: {
    given: 'Be brief about it.',
    sees: begun => {
      expect(text(begun)).toContain('Be brief about it.')
      const message = begun.events.find(({ kind, source }) => kind === 'MessageEvent' && source === 'user')
      expect(JSON.stringify(message.llm_message)).not.toContain('Be brief about it.')
    },
  },
  current_datetime: {
    given: '2031-02-03T04:05:06+00:00',
    sees: begun => expect(system(begun)).toContain('Today is 2031-02-03T04:05:06+00:00.'),
  },
  load_public_skills: refused(true, false),
  marketplace_path: refused(7, 'marketplaces/default.json'),
  registered_marketplaces: refused([{ source: 'github.com/some/skills' }], []),
}

/** Each field of a skill that a client brings along; what it does beside the others. */
export const SKILL_FIELDS: Readonly<Record<string, FieldCase>> = {
  name: {
    given: 'another-name',
    with: { is_agentskills_format: true },
    sees: begun => expect(system(begun)).toContain('another-name'),
  },
  content: { given: 'Write them in prose.', sees: begun => expect(system(begun)).toContain('Write them in prose.') },
  trigger: {
    given: { type: 'keyword', keywords: ['around'] },
    sees: begun => {
      expect(system(begun)).not.toContain('Write them in verse.')
      expect(text(begun)).toContain('Write them in verse.')
    },
  },
  description: {
    given: 'For release notes of every kind.',
    with: { is_agentskills_format: true },
    sees: begun => expect(system(begun)).toContain('For release notes of every kind.'),
  },
  is_agentskills_format: {
    given: true,
    turns: [tool('invoke_skill', { name: 'release-notes' }), FINISH],
    sees: begun => {
      expect(system(begun)).not.toContain('Write them in verse.')
      expect(text(begun)).toContain('Write them in verse.')
    },
  },
  disable_model_invocation: {
    given: true,
    with: { is_agentskills_format: true },
    sees: begun => expect(tools(begun)).not.toContain('invoke_skill'),
  },
  inputs: {
    given: [{ name: 'VERSION', description: 'the version to release' }],
    with: { trigger: { type: 'task', triggers: ['around'] } },
    sees: begun => expect(text(begun)).toContain('the version to release'),
  },
  source: {
    given: 'the release team',
    with: { trigger: { type: 'keyword', keywords: ['around'] } },
    sees: begun => expect(text(begun)).toContain('the release team'),
  },
  resources: refused({ scripts: ['run.sh'] }, { skill_root: '/skills/x', scripts: [], references: [], assets: [] }),
  mcp_tools: refused({ server: { command: 'run' } }, {}),
  allowed_tools: refused(['terminal'], []),
  license: refused(7, 'MIT'),
  compatibility: refused(7, 'any'),
  metadata: refused(7, { author: 'me' }),
  version: refused(7, '1.0.0'),
}

/** Each field of a condenser. */
export const CONDENSER_FIELDS: Readonly<Record<string, FieldCase>> = {
  kind: refused('PipelineCondenser', 'NoOpCondenser', 'LLMSummarizingCondenser'),
  enabled: refused('perhaps', true, false),
  max_size: refused(3, 80),
  keep_first: refused(200, 2),
  max_tokens: refused(1, 50_000),
  llm: refused({ model: 'openai/another' }, { usage_id: 'condenser' }, {}),
  minimum_progress: refused(0.5, 0.1),
  hard_context_reset_max_retries: refused(9, 5),
  hard_context_reset_context_scaling: refused(0.5, 0.8),
}

/** Each field of a start request beside its agent. */
export const START_FIELDS: Readonly<Record<string, FieldCase>> = {
  agent: {
    given: { llm: {}, system_prompt: 'You are a poet.' },
    sees: begun => expect(system(begun)).toContain('You are a poet.'),
  },
  agent_settings: {
    given: {
      agent_kind: 'openhands',
      schema_version: 1,
      system_prompt: 'You are a poet.',
      condenser: { enabled: true, max_size: null },
    },
    with: { agent: null },
    sees: begun => expect(system(begun)).toContain('You are a poet.'),
  },
  agent_profile_id: refused('mine'),
  workspace: {
    given: { working_dir: '/workspace/of-the-client' },
    sees: begun => expect(system(begun)).toContain('/workspace/of-the-client'),
  },
  conversation_id: {
    given: '0f8fad5bd9cb469fa16570867728950e',
    sees: ({ info }) => expect(info.id).toBe('0f8fad5b-d9cb-469f-a165-70867728950e'),
  },
  parent_conversation_id: refused('f'.repeat(32)),
  initial_message: { given: said('Look into it'), sees: begun => expect(text(begun)).toContain('Look into it') },
  max_iterations: {
    given: 1,
    turns: [think('once'), think('twice')],
    ends: 'paused',
    sees: ({ requests }) => expect(requests.length).toBe(1),
  },
  stuck_detection: { given: false, sees: ({ info }) => expect(info.stuck_detection).toBe(false) },
  confirmation_policy: {
    given: { kind: 'AlwaysConfirm' },
    turns: [tool('terminal', { command: 'ls' })],
    ends: 'waiting_for_confirmation',
    sees: ({ info }) => expect(info.execution_status).toBe('waiting_for_confirmation'),
  },
  security_analyzer: {
    given: { kind: 'PatternSecurityAnalyzer' },
    turns: [tool('terminal', { command: 'rm -rf / --no-preserve-root', security_risk: 'LOW' })],
    with: { confirmation_policy: { kind: 'ConfirmRisky' } },
    ends: 'waiting_for_confirmation',
    sees: ({ info }) => expect(info.security_analyzer).toEqual({ kind: 'PatternSecurityAnalyzer' }),
  },
  secrets: {
    given: { DEPLOY_TOKEN: 'open-sesame-0123' },
    sees: begun => expect(system(begun)).toContain('DEPLOY_TOKEN'),
  },
  secrets_encrypted: { refused: true, inert: [false], status: 501 },
  client_tools: {
    given: [{ name: 'ring_bell', description: 'Rings.', parameters: { type: 'object', properties: {} } }],
    sees: begun => expect(tools(begun)).toContain('ring_bell'),
  },
  agent_launch_additions: {
    given: { system_message_suffix_append: 'Appended at launch.' },
    with: { agent: { llm: {}, agent_context: { system_message_suffix: 'Of the context.' } } },
    sees: begun => expect(system(begun)).toMatch(/Of the context\.(\\n)+Appended at launch\./),
  },
  plugins: { refused: [{ source: 'github.com/some/plugin' }], inert: [[]], status: 501 },
  hook_config: {
    given: { session_start: [{ matcher: '*', hooks: [{ command: 'echo hooked >&2; exit 0' }] }] },
    sees: ({ events }) => expect(events.map(({ kind }) => kind)).toContain('HookExecutionEvent'),
  },
  tags: { given: { team: 'blue' }, sees: ({ info }) => expect(info.tags).toEqual({ team: 'blue' }) },
  worktree: { refused: true, inert: [false], status: 501 },
  agent_definitions: {
    given: [{ name: 'proof-reader', description: 'Reads proofs.', color: 'red' }],
    sees: ({ requests: [request] }) => expect(JSON.stringify(request?.body.tools)).toContain('proof-reader'),
  },
  title: { given: 'Named at once', sees: ({ info }) => expect(info.title).toBe('Named at once') },
  autotitle: {
    given: false,
    sees: ({ info, titleRequests }) => {
      expect(titleRequests).toEqual([])
      expect(info.title).not.toBe('Look around')
    },
  },
  title_llm_profile: { ...refused('fast'), status: 422 },
  tool_module_qualnames: refused({ warp_drive: 'ship.tools' }, { terminal: 'openhands.tools.terminal.definition' }, {}),
  user_id: refused('ada'),
  observability_metadata: refused({ run: 1 }, {}),
  observability_tags: refused(['a'], []),
  observability_span_name: refused('mine', 'conversation'),
}
