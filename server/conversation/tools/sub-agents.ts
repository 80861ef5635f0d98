import { stateUpdate } from '../../agent/answer.ts'
import { agentMetrics, NO_STATS, totalCost } from '../../agent/limits.ts'
import type { ConversationStats } from '../../api/event/metrics.ts'
import type { Bus } from '../../bus.ts'
import { AppError } from '../../domain/errors.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../../domain/ids.ts'
import { GENERAL_PURPOSE, type SubAgent } from '../../domain/sub-agent.ts'
import type { EventLog } from '../../event/log.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { SubAgentTable } from '../../store/conversation/sub-agents.ts'
import type { SubAgents } from '../../tools/sub-agents.ts'
import type { ConversationService } from '../service.ts'

interface Dependencies {
  /** What there is for the parent. */
  kinds: () => readonly SubAgent[]
  table: SubAgentTable
  eventLog: EventLog
  conversations: ConversationTable
  service: ConversationService
  bus: Bus
}

type Ending = { status: 'completed' | 'failed' | 'stopped'; report: string }

const MAX_STEPS = 200
const TITLE_LENGTH = 60

/**
 * Sub-agents of a conversation: each is a sub-conversation in the same sandbox and folder, under the same confirmation
 * policy, within what is left of its parent's limits. What it costs is counted with its parent, under `task:<id>`.
 */
export function createSubAgents(parentId: ConversationId, dependencies: Dependencies): SubAgents {
  const { service, kinds } = dependencies
  return {
    kinds,
    run: async ({ prompt, description, resume, subagent_type }, signal) => {
      const parent = service.find(parentId)
      const kind = kinds().find(({ name }) => name === subagent_type)
      const child = resume
        ? findTask(resume, parentId, service)
        : startTask(parent, { title: description ?? prompt, kind }, dependencies)
      const before = child.stats
      service.send(child.id, { role: 'user', content: [{ type: 'text', text: prompt }], run: true })
      try {
        return { taskId: child.id, ...(await waitForEnd(child.id, signal, dependencies)) }
      } finally {
        countWithParent(parentId, child.id, before, dependencies)
      }
    },
  }
}

/** @throws AppError bad_request for a conversation that is no task of this one */
function findTask(taskId: string, parentId: ConversationId, service: ConversationService): Conversation {
  const child = service.find(parseConversationId(taskId))
  if (child.parent_conversation_id === parentId && child.execution_status !== 'running') return child
  throw new AppError('bad_request', 'This task cannot be gone on with: it is another conversation’s, or still at work.')
}

function startTask(
  parent: Conversation,
  { title, kind }: { title: string; kind: SubAgent | undefined },
  { conversations, table, bus }: Dependencies,
): Conversation {
  const now = new Date().toISOString()
  const budget = parent.max_budget_per_task
  const child: Conversation = {
    ...parent,
    id: newConversationId(),
    created_at: now,
    updated_at: now,
    title: titleOf(title),
    title_is_default: false,
    parent_conversation_id: parent.id,
    forked_from_conversation_id: null,
    forked_from_event_id: null,
    pinned_at: null,
    source_folder: null,
    folder_mode: null,
    execution_status: 'idle',
    limit_reached: null,
    llm_model: kind?.model ?? parent.llm_model,
    max_iterations: Math.max(
      1,
      Math.min(kind?.maxSteps ?? MAX_STEPS, MAX_STEPS, parent.max_iterations - parent.stats.steps),
    ),
    max_budget_per_task: smaller(
      kind?.maxBudget ?? null,
      budget === null ? null : Math.max(0.01, budget - totalCost(parent.stats)),
    ),
    stats: NO_STATS,
    replay: null,
  }
  conversations.insert(child)
  if (kind && kind.name !== GENERAL_PURPOSE) table.insert(child.id, kind)
  bus.publish({ resource: 'conversation', id: parent.id })
  return child
}

function smaller(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

function titleOf(what: string): string {
  const line = what.trim().split('\n', 1)[0] ?? ''
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : line || 'Task'
}

/** One that waits for confirmation goes on once a person has answered; its parent waits with it. */
async function waitForEnd(
  id: ConversationId,
  signal: AbortSignal,
  { service, bus }: Pick<Dependencies, 'service' | 'bus'>,
): Promise<Ending> {
  for (;;) {
    const changed = nextChange(id, signal, bus)
    const ending = endingOf(service.find(id), service)
    if (ending) return ending
    try {
      await changed
    } catch (error) {
      await service.interrupt(id)
      throw error
    }
  }
}

function endingOf(conversation: Conversation, service: ConversationService): Ending | null {
  switch (conversation.execution_status) {
    case 'finished':
      return {
        status: 'completed',
        report: service.finalResponse(conversation.id) || 'The sub-agent ended without a report.',
      }
    case 'stuck':
      return { status: 'failed', report: 'The sub-agent went in circles and was stopped.' }
    case 'error':
      return { status: 'failed', report: 'The sub-agent failed. Its conversation tells why.' }
    case 'paused': {
      const why = conversation.limit_reached ? 'reached its limit' : 'was stopped'
      return {
        status: 'stopped',
        report: `The sub-agent ${why} before it was done. ${service.finalResponse(conversation.id)}`,
      }
    }
    default:
      return null
  }
}

function nextChange(id: ConversationId, signal: AbortSignal, bus: Bus): Promise<void> {
  const changed = new Promise<void>((resolve, reject) => {
    const end = () => {
      unsubscribe()
      signal.removeEventListener('abort', abort)
    }
    const abort = () => {
      end()
      reject(signal.reason)
    }
    const unsubscribe = bus.subscribe(change => {
      if (change.resource !== 'conversation' || change.id !== id) return
      end()
      resolve()
    })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
  // Whoever asked may find that it has ended already, and never look.
  changed.catch(() => {})
  return changed
}

function countWithParent(
  parentId: ConversationId,
  childId: ConversationId,
  before: ConversationStats,
  { eventLog, conversations, bus }: Dependencies,
): void {
  const parent = conversations.get(parentId)
  const child = conversations.get(childId)
  if (!parent || !child || child.stats === before) return
  const usage = parent.stats.usage_to_metrics
  const own = agentMetrics(child.stats)
  if (!own) return
  const stats: ConversationStats = {
    ...parent.stats,
    cost_unknown: parent.stats.cost_unknown || child.stats.cost_unknown,
    usage_to_metrics: { ...usage, [`task:${childId}`]: { ...own, accumulated_cost: totalCost(child.stats) } },
  }
  eventLog.appendAll(parentId, [stateUpdate('stats', stats)], () => conversations.update(parentId, { stats }))
  bus.publish({ resource: 'conversation', id: parentId })
}
