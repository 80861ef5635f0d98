import { createCondenser, DEFAULT_KEEP_FIRST, DEFAULT_MAX_EVENTS } from '../agent/condenser.ts'
import { dynamicContext, systemPrompt } from '../agent/prompt.ts'
import { createReplay } from '../agent/replay.ts'
import { combine, rateAction, safeRate } from '../agent/risk.ts'
import type { AgentRun } from '../agent/run.ts'
import type { Event } from '../api/events.ts'
import type { ConversationStats } from '../api/metrics.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Complete, ModelChoice } from '../llm/completion.ts'
import { createComplete, ModelMemory } from '../llm/stream.ts'
import type { McpHub } from '../mcp/hub.ts'
import type { McpSession } from '../mcp/session.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { SecretStore } from '../secret/user-secrets.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Conversation } from '../store/conversations.ts'
import { INVOKE_SKILL } from '../tools/invoke-skill.ts'
import { createPlanningTools, createTools } from '../tools/registry.ts'
import type { Tool, ToolHost } from '../tools/tool.ts'
import { parseTrajectory } from './trajectory.ts'

/** The tools of one conversation; `current` may change between steps. */
export interface ToolSet {
  current(): readonly Tool[]
  close(): Promise<void>
}

/** What a run knows that its parts need. */
export interface RunContext {
  complete: Complete
  /** The conversation as it is at the moment of the call: people change its rules while the agent works. */
  now: () => Conversation
  /** The present branch, kept up to date. */
  events: readonly Event[]
  onRetry: AgentRun['onRetry']
}

/** What the agent of a conversation is made of. */
export interface AgentParts {
  /** Before each run. Never rejects. */
  prepare(conversation: Conversation, signal: AbortSignal): Promise<void>
  createTools(conversation: Conversation): ToolSet
  createComplete(conversation: Conversation, events: readonly Event[]): Promise<Complete>
  prompt(conversation: Conversation): { fixed: string; context: string }
  forRun(
    conversation: Conversation,
    context: RunContext,
  ): Pick<AgentRun, 'confirmation' | 'rate' | 'hooks' | 'knowledgeFor' | 'stuckDetection' | 'condenser'>
  /** Called in the transaction that stores the new statistics. */
  countUsage(before: ConversationStats, after: ConversationStats): void
}

interface Dependencies {
  sandboxes: SandboxService
  settings: SettingsService
  secrets: SecretStore
  mask: ToolHost['mask']
  knowledge: Knowledge
  toolServers: McpHub
  choice: (conversation: Conversation) => Promise<ModelChoice>
  countUsage: AgentParts['countUsage']
}

/** How long a replayed answer takes to be spoken, so that a person can follow. */
const REPLAY_PACE_MS = 700

const SERVERS_HEAD_START_MS = 500

export function createAgentParts(dependencies: Dependencies): AgentParts {
  const { sandboxes, secrets, mask, knowledge, settings, toolServers } = dependencies
  const memory = new ModelMemory()
  return {
    prepare: async (conversation, signal) => {
      await Promise.all([knowledge.refresh(conversation, signal), wake(toolServers.session(conversation), signal)])
    },
    createTools: conversation => {
      const skills = knowledge.shelf(conversation)
      const host: ToolHost = {
        sandbox: () => openRunning(sandboxes, conversation),
        mask,
        environmentFor: secrets.environment.forCommand,
        skills,
      }
      const plans = conversation.agent_type === 'plan'
      const servers = toolServers.session(conversation)
      const tools = plans ? createPlanningTools(host, planPath(conversation)) : createTools(host)
      return {
        current: () => {
          const own = skills.list().length > 0 ? tools : tools.filter(tool => tool.name !== INVOKE_SKILL)
          return [...own, ...servers.tools().filter(tool => tool.readOnly || !plans)]
        },
        close: async () => {
          await Promise.allSettled([
            ...tools.map(tool => tool.close()),
            knowledge.release(conversation.id),
            servers.sleep(),
          ])
        },
      }
    },
    createComplete: async (conversation, events) => modelOf(conversation, events, { ...dependencies, memory }),
    prompt: conversation => promptOf(conversation, dependencies),
    forRun: (conversation, { complete, now, events, onRetry }) => ({
      confirmation: () => ({ policy: now().confirmation_policy, allowed: now().always_allowed }),
      rate: raterOf(now()),
      hooks: knowledge.hooks(conversation),
      knowledgeFor: knowledge.forCalls(conversation, () => events),
      stuckDetection: now().stuck_detection,
      condenser: condenserOf(conversation, settings.read(), { complete, onRetry }),
    }),
    countUsage: dependencies.countUsage,
  }
}

/** Tool servers that start quickly are there from the first step on; nobody waits for the others. */
async function wake(servers: McpSession, signal: AbortSignal): Promise<void> {
  await servers.wake()
  await servers.settled(AbortSignal.any([signal, AbortSignal.timeout(SERVERS_HEAD_START_MS)]))
}

function planPath({ working_dir }: Conversation): string {
  return `${working_dir}/PLAN.md`
}

/** A paused sandbox is resumed when its agent goes on. */
async function openRunning(sandboxes: SandboxService, { sandbox_id, working_dir }: Conversation) {
  await sandboxes.resume(sandbox_id)
  return sandboxes.open(sandbox_id, working_dir)
}

function modelOf(
  conversation: Conversation,
  events: readonly Event[],
  { settings, choice, memory }: Pick<Dependencies, 'settings' | 'choice'> & { memory: ModelMemory },
): Complete {
  const model = createComplete(() => choice(conversation), {
    fallback: chosen => settings.fallbackChoice(chosen),
    memory,
  })
  if (conversation.replay === null) return model
  const afterwards = (conversation.llm_model ?? settings.read().llm_model) ? model : null
  return createReplay(parseTrajectory(conversation.replay).answers, { events, paceMs: REPLAY_PACE_MS, afterwards })
}

function promptOf(conversation: Conversation, { secrets, knowledge }: Pick<Dependencies, 'secrets' | 'knowledge'>) {
  const context = dynamicContext({
    workingDir: conversation.working_dir,
    repository: conversation.selected_repository,
    branch: conversation.selected_branch,
    date: new Date().toISOString().slice(0, 10),
    instructions: conversation.instructions,
    planPath: conversation.agent_type === 'plan' ? planPath(conversation) : null,
    ...knowledge.forPrompt(conversation.id),
    secrets: secrets.environment.variables(),
  })
  return { fixed: systemPrompt(), context }
}

/** A replayed trajectory is never summed up: nobody is there to do it. */
function condenserOf(
  { replay }: Conversation,
  { enable_default_condenser, condenser_max_size }: ReturnType<SettingsService['read']>,
  asking: Pick<RunContext, 'complete' | 'onRetry'>,
): AgentRun['condenser'] {
  if (replay !== null) return null
  const maxEvents = enable_default_condenser ? (condenser_max_size ?? DEFAULT_MAX_EVENTS) : null
  return createCondenser({ ...asking, maxEvents, keepFirst: DEFAULT_KEEP_FIRST })
}

function raterOf({ security_analyzer, working_dir }: Conversation): AgentRun['rate'] {
  if (security_analyzer === null) return null
  return (action, tool, modelRisk) => {
    const local = safeRate(() => rateAction(action, { workingDir: working_dir }))
    if (security_analyzer === 'local' || tool.readOnly) return local
    return { ...local, risk: combine(local.risk, modelRisk) }
  }
}
