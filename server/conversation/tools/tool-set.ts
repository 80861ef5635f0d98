import { ANSWER_REVIEW_COMMENT } from '../../api/event/review-comments.ts'
import type { Browsers } from '../../browser/browsers.ts'
import type { AgentOptions } from '../../domain/agent-options.ts'
import type { SharedShell } from '../../domain/shared-shell.ts'
import type { ShellWatcher } from '../../domain/shell-watcher.ts'
import type { EventLog } from '../../event/log.ts'
import { KnownComments } from '../../event/review-comments.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { McpHub } from '../../mcp/hub.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { ConversationSecrets } from '../../secret/conversation-secrets.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { SubAgentTable } from '../../store/conversation/sub-agents.ts'
import { withoutBrowser } from '../../tools/browser.ts'
import { chosenTools } from '../../tools/chosen-tools.ts'
import { INVOKE_SKILL } from '../../tools/invoke-skill.ts'
import { PLAN_EDITOR } from '../../tools/planning-file-editor.ts'
import { isPublishTool } from '../../tools/publish.ts'
import { createPlanEditor, createPlanningTools, createTools } from '../../tools/registry.ts'
import type { SubAgents } from '../../tools/sub-agents.ts'
import { TASK, withKinds } from '../../tools/task.ts'
import type { Tool, ToolHost } from '../../tools/tool.ts'
import { selectTools } from '../../tools/tool-aliases.ts'
import type { WorkPublisher } from '../../tools/work-publisher.ts'
import type { ClientCalls } from './client-calls.ts'

/** The tools of one conversation; `current` may change between steps. */
export interface ToolSet {
  current(): readonly Tool[]
  /** The shell of its agent; undefined for one that only plans. */
  readonly shell: SharedShell | undefined
  close(): Promise<void>
}

export interface ToolSetDependencies {
  eventLog: EventLog
  sandboxes: SandboxService
  secrets: Pick<ConversationSecrets, 'environmentOf'>
  mask: Pick<Mask, 'mask' | 'growing' | 'stream'>
  knowledge: Knowledge
  toolServers: McpHub
  browsers: Browsers
  /** Who looks at the shells of agents. */
  agentShells: { watcherOf(id: string): ShellWatcher; release(id: string): void }
  /** What the sub-agents among the conversations are. */
  subAgents: Pick<SubAgentTable, 'get'>
  subAgentsOf: (conversation: Conversation) => SubAgents
  publisherOf: (conversation: Conversation) => WorkPublisher
  /** What the conversation's client can do for the agent. */
  clientToolsOf: (conversation: Conversation) => Tool[]
  clientCalls: Pick<ClientCalls, 'forget'>
  /** What the conversation's client wants of its agent. */
  optionsOf: (conversation: Conversation) => AgentOptions
}

/** Its own tools and those of its tool servers. One that plans gets what only reads; a sub-conversation has no sub-agents. */
export function createToolSet(conversation: Conversation, dependencies: ToolSetDependencies): ToolSet {
  const { eventLog, sandboxes, secrets, mask, knowledge, toolServers, browsers, agentShells } = dependencies
  const { subAgents, subAgentsOf, publisherOf, clientToolsOf, clientCalls, optionsOf } = dependencies
  const skills = knowledge.skillLibrary(conversation)
  const publisher = publisherOf(conversation)
  const reviewed = new KnownComments(eventLog, conversation.id)
  const host: ToolHost = {
    sandbox: async () => {
      const sandbox = await openRunning(sandboxes, conversation)
      browsers.notice(conversation)
      return sandbox
    },
    mask: mask.mask,
    maskGrowing: mask.growing,
    environmentFor: secrets.environmentOf(conversation.id).forCommand,
    shellWatcher: agentShells.watcherOf(conversation.id),
    browser: browsers.session(conversation),
    skills,
    reviewComments: () => reviewed.list(),
    events: () => eventLog.readTree(conversation.id, tree => tree.activeBranch()),
    ...(conversation.parent_conversation_id === null && { subAgents: subAgentsOf(conversation), publisher }),
  }
  const named = subAgents.get(conversation.id)?.tools
  const plans = conversation.agent_type === 'plan'
  const servers = toolServers.session(conversation)
  const ofClient = clientToolsOf(conversation)
  const options = optionsOf(conversation)
  const tools = plans ? createPlanningTools(host, planPath(conversation)) : ownTools(host, conversation, options)
  return {
    current: () => {
      const present = browsers.isThere(conversation) ? tools : withoutBrowser(tools)
      const hidden = (tool: Tool) =>
        (tool.name === INVOKE_SKILL && skills.list().length === 0) ||
        (tool.name === ANSWER_REVIEW_COMMENT && reviewed.list().length === 0) ||
        (isPublishTool(tool) && !publisher.isPossible())
      const known = present.filter(tool => !hidden(tool))
      const own = known.map(tool => (tool.name === TASK ? withKinds(tool, knowledge.subAgents(conversation.id)) : tool))
      const given = [...ofClient, ...servers.tools()].filter(tool => tool.readOnly || !plans)
      const all = chosenTools({ own, given }, plans ? { ...options, tools: null } : options)
      return named ? selectTools(all, named) : all
    },
    shell: tools.find(({ shell }) => shell)?.shell,
    close: async () => {
      clientCalls.forget(conversation.id)
      const closing = [...tools.map(tool => tool.close()), browsers.release(conversation.id)]
      await Promise.allSettled([...closing, knowledge.release(conversation.id), servers.sleep()])
      agentShells.release(conversation.id)
    },
  }
}

/** The editor of plans is not among the tools of an agent that carries its work out, unless its client wants it there. */
function ownTools(host: ToolHost, conversation: Conversation, { tools }: AgentOptions): Tool[] {
  const own = createTools(host)
  const isPlanEditorWanted = tools?.includes(PLAN_EDITOR) ?? false
  return isPlanEditorWanted ? [createPlanEditor(host, planPath(conversation)), ...own] : own
}

/** The one file that an agent writes that plans. */
export function planPath({ working_dir }: Conversation): string {
  return `${working_dir}/.agents_tmp/PLAN.md`
}

/** A paused sandbox is resumed when its agent goes on. */
async function openRunning(sandboxes: SandboxService, { sandbox_id, working_dir }: Conversation) {
  await sandboxes.resume(sandbox_id)
  return sandboxes.open(sandbox_id, working_dir)
}
