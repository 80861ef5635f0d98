import { dynamicContext, systemPrompt } from '../agent/prompt.ts'
import { createReplay } from '../agent/replay.ts'
import { combine, rateAction, safeRate } from '../agent/risk.ts'
import type { AgentRun } from '../agent/run.ts'
import type { Event } from '../api/events.ts'
import type { ConversationStats } from '../api/metrics.ts'
import type { Complete, ModelChoice } from '../llm/completion.ts'
import { createComplete } from '../llm/stream.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { SecretStore } from '../secret/user-secrets.ts'
import type { SettingsService } from '../settings/service.ts'
import type { Conversation } from '../store/conversations.ts'
import { createTools } from '../tools/registry.ts'
import type { Tool, ToolHost } from '../tools/tool.ts'
import { parseTrajectory } from './trajectory.ts'

/** The tools of one conversation; `current` may change between steps. */
export interface ToolSet {
  current(): readonly Tool[]
  close(): Promise<void>
}

/** What the agent of a conversation is made of. */
export interface AgentParts {
  createTools(conversation: Conversation): ToolSet
  createComplete(conversation: Conversation, events: readonly Event[]): Promise<Complete>
  prompt(conversation: Conversation): { fixed: string; context: string }
  /** `now` is the conversation as it is at the moment of the call: people change its rules while the agent works. */
  forRun(
    conversation: Conversation,
    complete: Complete,
    now: () => Conversation,
  ): Pick<AgentRun, 'confirmation' | 'rate' | 'hooks' | 'knowledgeFor' | 'stuckDetection' | 'condenser'>
  /** Called in the transaction that stores the new statistics. */
  countUsage(before: ConversationStats, after: ConversationStats): void
}

interface Dependencies {
  sandboxes: SandboxService
  settings: SettingsService
  secrets: SecretStore
  mask: ToolHost['mask']
  choice: (conversation: Conversation) => Promise<ModelChoice>
}

/** How long a replayed answer takes to be spoken, so that a person can follow. */
const REPLAY_PACE_MS = 700

export function createAgentParts(dependencies: Dependencies): AgentParts {
  const { sandboxes, secrets, mask } = dependencies
  return {
    createTools: conversation => {
      const tools = createTools({
        sandbox: () => openRunning(sandboxes, conversation),
        mask,
        environmentFor: secrets.environment.forCommand,
      })
      return {
        current: () => tools,
        close: async () => void (await Promise.allSettled(tools.map(tool => tool.close()))),
      }
    },
    createComplete: async (conversation, events) => modelOf(conversation, events, dependencies),
    prompt: conversation => promptOf(conversation, dependencies),
    forRun: (_conversation, _complete, now) => ({
      confirmation: () => ({ policy: now().confirmation_policy, allowed: now().always_allowed }),
      rate: raterOf(now()),
      hooks: null,
      knowledgeFor: () => null,
      stuckDetection: now().stuck_detection,
      condenser: null,
    }),
    countUsage: () => {},
  }
}

/** A paused sandbox is resumed when its agent goes on. */
async function openRunning(sandboxes: SandboxService, { sandbox_id, working_dir }: Conversation) {
  await sandboxes.resume(sandbox_id)
  return sandboxes.open(sandbox_id, working_dir)
}

function modelOf(
  conversation: Conversation,
  events: readonly Event[],
  { settings, choice }: Pick<Dependencies, 'settings' | 'choice'>,
): Complete {
  const model = createComplete(() => choice(conversation))
  if (conversation.replay === null) return model
  const afterwards = (conversation.llm_model ?? settings.read().llm_model) ? model : null
  return createReplay(parseTrajectory(conversation.replay).answers, { events, paceMs: REPLAY_PACE_MS, afterwards })
}

function promptOf(conversation: Conversation, { secrets }: Pick<Dependencies, 'secrets'>) {
  const context = dynamicContext({
    workingDir: conversation.working_dir,
    repository: conversation.selected_repository,
    branch: conversation.selected_branch,
    date: new Date().toISOString().slice(0, 10),
    instructions: conversation.instructions,
    secrets: secrets.environment.variables(),
  })
  return { fixed: systemPrompt(), context }
}

function raterOf({ security_analyzer, working_dir }: Conversation): AgentRun['rate'] {
  if (security_analyzer === null) return null
  return (action, tool, modelRisk) => {
    const local = safeRate(() => rateAction(action, { workingDir: working_dir }))
    if (security_analyzer === 'local' || tool.readOnly) return local
    return { ...local, risk: combine(local.risk, modelRisk) }
  }
}
