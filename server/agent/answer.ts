import type { Action } from '../api/event/actions.ts'
import type { EventOf, NewEvent } from '../api/event/events.ts'
import type { SecurityRisk } from '../api/v1/conversation/confirmation.ts'
import { messageOf } from '../domain/errors.ts'
import type { Completion } from '../llm/completion.ts'
import { type ParsedCall, parseCall } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import type { AgentRun } from './run.ts'

/** The calls of one answer, contiguous and with one response id. What follows a `finish` is dropped. */
export async function toActions(
  run: Pick<AgentRun, 'rate' | 'signal'>,
  tools: readonly Tool[],
  completion: Completion,
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  const errors: NewEvent[] = []
  const earlier: Action[] = []
  for (const [index, call] of completion.toolCalls.entries()) {
    const parsed: ParsedCall = call.refused ? { kind: 'invalid', error: call.refused } : parseCall(tools, call)
    const understood = await prepared(parsed, { isAlone: completion.toolCalls.length === 1, signal: run.signal })
    const valid = understood.kind === 'action'
    const toolName = valid ? understood.tool.name : call.name
    events.push({
      kind: 'ActionEvent',
      source: 'agent',
      thought: index === 0 && completion.text ? [{ type: 'text', text: completion.text }] : [],
      thinking_blocks: index === 0 ? thinkingBlocks(completion) : [],
      ...(index === 0 && completion.reasoning.length > 0 && { reasoning_content: reasoningText(completion) }),
      action: valid ? understood.action : null,
      tool_name: toolName,
      tool_call_id: call.id,
      tool_call: { id: call.id, name: toolName, arguments: replayableArguments(call.arguments), origin: 'completion' },
      llm_response_id: completion.responseId,
      ...ratingOf(run, understood, [...earlier]),
      ...(valid && understood.summary && { summary: understood.summary }),
      ...(index === 0 && completion.providerMetadata && { provider_metadata: completion.providerMetadata }),
    })
    if (!valid) {
      errors.push(agentError(toolName, call.id, understood.error))
      continue
    }
    earlier.push(understood.action)
    if (understood.action.kind === 'FinishAction') break
  }
  return [...events, ...errors]
}

/** Completed where its tool does that. Never rejects: what stands in the way is an answer to the model. */
async function prepared(
  call: ParsedCall,
  { isAlone, signal }: { isAlone: boolean; signal: AbortSignal },
): Promise<ParsedCall> {
  if (call.kind === 'invalid' || !call.tool.prepare) return call
  if (!isAlone) {
    const error = `Call ${call.tool.name} alone, once the calls before it have been carried out: it is about what they leave.`
    return { kind: 'invalid', error }
  }
  try {
    return { ...call, action: await call.tool.prepare(call.action, signal) }
  } catch (error) {
    return { kind: 'invalid', error: messageOf(error) }
  }
}

function ratingOf(
  { rate }: Pick<AgentRun, 'rate'>,
  understood: ParsedCall,
  earlier: readonly Action[],
): { security_risk: SecurityRisk; risk_reasons?: string[] } {
  if (understood.kind !== 'action') return { security_risk: 'UNKNOWN' }
  const { alwaysAsks } = understood.tool
  if (alwaysAsks !== undefined) return { security_risk: 'HIGH', risk_reasons: [alwaysAsks] }
  const modelRisk = understood.securityRisk ?? 'UNKNOWN'
  if (!rate) return { security_risk: modelRisk }
  const { action, tool } = understood
  const { risk, reasons } = rate({ action, tool, modelRisk, earlier })
  return { security_risk: risk, ...(reasons.length > 0 && { risk_reasons: reasons }) }
}

/** Providers refuse malformed arguments in the history, so those go back as an empty object. */
function replayableArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}'
  } catch {
    return '{}'
  }
}

function thinkingBlocks(completion: Completion): EventOf<'ActionEvent'>['thinking_blocks'] {
  return completion.reasoning.flatMap(({ text, signature }) =>
    signature ? [{ type: 'thinking' as const, thinking: text, signature }] : [],
  )
}

function reasoningText(completion: Completion): string {
  return completion.reasoning.map(part => part.text).join('\n')
}

export function agentMessage(completion: Completion): NewEvent {
  return {
    kind: 'MessageEvent',
    source: 'agent',
    llm_message: { role: 'assistant', content: [{ type: 'text', text: completion.text }] },
    llm_response_id: completion.responseId,
    activated_skills: [],
    extended_content: [],
    ...(completion.providerMetadata && { provider_metadata: completion.providerMetadata }),
  }
}

/** What the service itself says to the model; it does not count as a person's word. */
export function nudge(text: string): NewEvent {
  return {
    kind: 'MessageEvent',
    source: 'environment',
    llm_message: { role: 'user', content: [{ type: 'text', text }] },
    activated_skills: [],
    extended_content: [],
  }
}

export function agentError(toolName: string, toolCallId: string, error: string): NewEvent {
  return { kind: 'AgentErrorEvent', source: 'agent', tool_name: toolName, tool_call_id: toolCallId, error }
}

export function rejection(call: EventOf<'ActionEvent'>, reason: string, source: 'user' | 'hook'): NewEvent {
  return {
    kind: 'UserRejectObservation',
    source: 'environment',
    tool_name: call.tool_name,
    tool_call_id: call.tool_call_id,
    action_id: call.id,
    rejection_reason: reason,
    rejection_source: source,
  }
}

export function stateUpdate(key: string, value: unknown): NewEvent {
  return { kind: 'ConversationStateUpdateEvent', source: 'environment', key, value }
}
