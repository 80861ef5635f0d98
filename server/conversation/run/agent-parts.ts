import {
  type CondenserOptions,
  createCondenser,
  DEFAULT_KEEP_FIRST,
  DEFAULT_MAX_EVENTS,
} from '../../agent/condenser.ts'
import { dynamicContext, systemPrompt } from '../../agent/prompt.ts'
import { createReplay } from '../../agent/replay.ts'
import { rateCall } from '../../agent/risk-rating.ts'
import type { AgentRun } from '../../agent/run.ts'
import { parseTrajectory } from '../../agent/trajectory.ts'
import type { Event } from '../../api/event/events.ts'
import type { ConversationStats } from '../../api/event/metrics.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { createComplete, ModelMemory } from '../../llm/answer/stream.ts'
import type { Complete, Completion, ModelChoice } from '../../llm/completion.ts'
import type { McpSession } from '../../mcp/session.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { SandboxServices } from '../../sandbox/services/services.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { Tool } from '../../tools/tool.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import type { RepositorySetUp } from '../start/repository-set-up.ts'
import { createHookJudge } from '../tools/hook-judge.ts'
import { createToolSet, planPath, type ToolSet, type ToolSetDependencies } from '../tools/tool-set.ts'
import { withMaskedDeltas } from './masked-deltas.ts'
import { NetworkNotes } from './network-notes.ts'

/** What a run knows that its parts need. */
interface RunContext {
  complete: Complete
  /** The conversation as it is at the moment of the call: people change its rules while the agent works. */
  now: () => Conversation
  /** The present branch, kept up to date. */
  events: readonly Event[]
  onRetry: AgentRun['onRetry']
  tools: () => readonly Tool[]
  /** An answer that was no step of the agent. */
  count: (usageId: string, completion: Completion) => void
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
  ): Pick<AgentRun, 'confirmation' | 'rate' | 'hooks' | 'knowledgeFor' | 'networkNote' | 'stuckDetection' | 'condenser'>
  /** Called in the transaction that stores the new statistics. */
  countUsage(before: ConversationStats, after: ConversationStats): void
}

interface Dependencies extends ToolSetDependencies {
  settings: SettingsService
  conversations: Pick<ConversationTable, 'onDeleted'>
  trust: Pick<RepositoryTrust, 'leftOut'>
  sandboxServices: Pick<SandboxServices, 'known'>
  setUp: Pick<RepositorySetUp, 'refresh'>
  outbound: Outbound
  choice: (conversation: Conversation) => Promise<ModelChoice>
  countUsage: AgentParts['countUsage']
}

/** How long a replayed answer takes to be spoken, so that a person can follow. */
const REPLAY_PACE_MS = 700

const SERVERS_HEAD_START_MS = 500

export function createAgentParts(dependencies: Dependencies): AgentParts {
  const { knowledge, toolServers, browsers, setUp } = dependencies
  const memory = new ModelMemory()
  const networkNotes = new NetworkNotes(dependencies.sandboxes.network, dependencies.conversations)
  return {
    prepare: async (conversation, signal) => {
      const brought = () => JSON.stringify(knowledge.toolServers(conversation.id))
      const before = brought()
      await Promise.all([
        knowledge.refresh(conversation, signal).then(() => setUp.refresh(conversation, signal)),
        browsers.prepare(conversation, signal),
        startServers(toolServers.session(conversation), signal),
      ])
      if (brought() !== before) await startServers(toolServers.session(conversation), signal)
    },
    createTools: conversation => createToolSet(conversation, dependencies),
    createComplete: async (conversation, events) =>
      withMaskedDeltas(await modelOf(conversation, events, { ...dependencies, memory }), dependencies.mask),
    prompt: conversation => promptOf(conversation, dependencies),
    forRun: (conversation, { now, events, ...context }) => ({
      confirmation: () => ({ policy: now().confirmation_policy, allowed: now().always_allowed }),
      rate: raterOf(now),
      // A recorded answer must not be taken for a hook's.
      hooks: knowledge.hooks(conversation, conversation.replay === null ? createHookJudge({ ...context, now }) : null),
      knowledgeFor: knowledge.forCalls(conversation, () => events),
      networkNote: networkNotes.of(conversation),
      stuckDetection: now().stuck_detection,
      condenser: condenserOf(conversation, condenserSettingsOf(conversation, dependencies), context),
    }),
    countUsage: dependencies.countUsage,
  }
}

/** Tool servers that start quickly are there from the first step on; nobody waits for the others. */
async function startServers(servers: McpSession, signal: AbortSignal): Promise<void> {
  await servers.wake()
  await servers.settled(AbortSignal.any([signal, timeLimit(SERVERS_HEAD_START_MS)]))
}

async function modelOf(
  conversation: Conversation,
  events: readonly Event[],
  {
    settings,
    outbound,
    choice,
    memory,
  }: Pick<Dependencies, 'settings' | 'outbound' | 'choice'> & { memory: ModelMemory },
): Promise<Complete> {
  const model = createComplete(() => choice(conversation), {
    outbound,
    fallback: chosen => settings.fallbackChoice(chosen),
    memory,
  })
  if (conversation.replay === null) return model
  const afterwards = (conversation.llm_model ?? settings.read().llm_model) ? model : null
  const { answers } = await parseTrajectory(conversation.replay)
  return createReplay(answers, { events, paceMs: REPLAY_PACE_MS, afterwards })
}

function promptOf(
  conversation: Conversation,
  {
    secrets,
    knowledge,
    subAgents,
    trust,
    sandboxes,
    sandboxServices,
    optionsOf,
  }: Pick<
    Dependencies,
    'secrets' | 'knowledge' | 'subAgents' | 'trust' | 'sandboxes' | 'sandboxServices' | 'optionsOf'
  >,
) {
  const { date, systemPrompt: given, systemSuffix: suffix } = optionsOf(conversation)
  const context = dynamicContext({
    workingDir: conversation.working_dir,
    repository: conversation.selected_repository,
    branch: conversation.selected_branch,
    date: date ?? new Date().toISOString().slice(0, 10),
    suffix,
    instructions: conversation.instructions,
    network: sandboxes.network.policyOf(conversation.sandbox_id),
    services: sandboxServices.known(conversation.sandbox_id),
    planPath: conversation.agent_type === 'plan' ? planPath(conversation) : null,
    part: subAgents.get(conversation.id) ?? null,
    ...knowledge.forPrompt(conversation.id),
    secrets: secrets.environmentOf(conversation.id).variables(),
    leftOut: trust.leftOut(conversation.id).map(({ sentence }) => sentence),
  })
  return { fixed: given ?? systemPrompt(), context }
}

/** A replayed trajectory is never summed up: nobody is there to do it. */
function condenserOf(
  { replay, agent_type }: Conversation,
  condensing: Pick<CondenserOptions, 'maxEvents' | 'keepFirst' | 'maxTokens'> | null,
  asking: Pick<RunContext, 'complete' | 'onRetry'>,
): AgentRun['condenser'] {
  return replay !== null || condensing === null
    ? null
    : createCondenser({ ...asking, ...condensing, usageId: agent_type === 'plan' ? 'planning_condenser' : 'condenser' })
}

/** What the client says, or else the settings; null never sums up. */
function condenserSettingsOf(
  conversation: Conversation,
  { settings, optionsOf }: Pick<Dependencies, 'settings' | 'optionsOf'>,
) {
  const asked = optionsOf(conversation).condenser
  if (asked?.kind === 'off') return null
  if (asked) {
    const { maxEvents, keepFirst, maxTokens } = asked
    return { maxEvents, keepFirst: keepFirst ?? DEFAULT_KEEP_FIRST, maxTokens }
  }
  const { enable_default_condenser, condenser_max_size } = settings.read()
  const maxEvents = enable_default_condenser ? (condenser_max_size ?? DEFAULT_MAX_EVENTS) : null
  return { maxEvents, keepFirst: DEFAULT_KEEP_FIRST, maxTokens: null }
}

/** People change the rules while the agent works. Who is never asked needs no reasons. */
function raterOf(now: () => Conversation): AgentRun['rate'] {
  return call => {
    const { security_analyzer: analyzer, confirmation_policy, working_dir: workingDir } = now()
    if (analyzer === null && confirmation_policy.kind === 'NeverConfirm') return { risk: call.modelRisk, reasons: [] }
    return rateCall(call, { analyzer, workingDir })
  }
}
