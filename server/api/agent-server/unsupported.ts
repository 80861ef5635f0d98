import type { Method } from '../contract/route.ts'

/** Operations of agent servers that Atelier does not have: each is answered with 501 and its reason. */
export interface Unsupported {
  method: Method
  path: `/${string}`
  reason: string
  open: false
}

const conversation = '/api/conversations/{conversation_id}'

const TABLE: readonly (readonly [reason: string, ...operations: readonly string[]])[] = [
  [
    'Values of secrets are told to nobody. A command that names a secret finds it in its environment.',
    'get /api/settings/secrets/{name}',
  ],
  [
    'There is no loop towards a goal yet. Write the goal as a message.',
    `post ${conversation}/goal`,
    `post ${conversation}/goal/stop`,
    `post ${conversation}/goal/resume`,
  ],
  [
    'There are no agent profiles. Models can be saved at /api/profiles.',
    'get /api/agent-profiles',
    'post /api/agent-profiles',
    'get /api/agent-profiles/{name}',
    'post /api/agent-profiles/{name}',
    'put /api/agent-profiles/{name}',
    'delete /api/agent-profiles/{name}',
    'post /api/agent-profiles/{name}/rename',
    'post /api/agent-profiles/{name}/activate',
    'post /api/agent-profiles/{name}/materialize',
  ],
  [
    "Agents that speak the Agent Client Protocol can not be run: Atelier's own agent runs on the host.",
    `post ${conversation}/switch_acp_model`,
  ],
  [
    'There are no plugins.',
    `post ${conversation}/load_plugin`,
    'post /api/plugins',
    'post /api/plugins/install',
    'get /api/plugins/installed',
    ...installed('plugins'),
    'get /api/plugins/marketplace',
  ],
  [
    'Skills are read where they lie, in the repository and in ~/.agents/skills of this machine; none are fetched.',
    'post /api/skills/sync',
    'post /api/skills/install',
    'get /api/skills/installed',
    ...installed('skills'),
    'get /api/skills/marketplace',
  ],
  ['No editor is served in the sandbox yet.', 'get /api/vscode/url'],
  ['The sandbox has no desktop.', 'get /api/desktop/url'],
  [
    'Subscriptions of a provider can not be used. Use an API key.',
    'get /api/llm/provider-connections',
    'get /api/llm/subscription/openai/status',
    'get /api/llm/subscription/openai/models',
    'post /api/llm/subscription/openai/logout',
    'post /api/llm/subscription/openai/device/start',
    'post /api/llm/subscription/openai/device/poll',
  ],
  [
    'A sandbox has one workspace, /workspace.',
    'get /api/workspaces',
    'post /api/workspaces',
    'delete /api/workspaces',
    'get /api/workspaces/parents',
    'post /api/workspaces/parents',
    'delete /api/workspaces/parents',
  ],
  [
    'Files of the workspace are not served as web pages. Download them through /api/file/download.',
    'post /api/auth/workspace-session',
    'delete /api/auth/workspace-session',
    `get ${conversation}/workspace`,
  ],
]

function installed(kind: 'skills' | 'plugins'): string[] {
  const one = `/api/${kind}/installed/{name}`
  return [`get ${one}`, `patch ${one}`, `delete ${one}`, `post ${one}/refresh`]
}

export const UNSUPPORTED: readonly Unsupported[] = TABLE.flatMap(([reason, ...operations]) =>
  operations.map(operation => {
    const [method, path] = operation.split(' ') as [Method, `/${string}`]
    return { method, path, reason, open: false as const }
  }),
)
