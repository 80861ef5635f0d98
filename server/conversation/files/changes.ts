import { createHash } from 'node:crypto'
import { describeKind } from '../../agent/confirmation.ts'
import type { ConfirmationPolicy, SecurityAnalyzer } from '../../api/v1/conversation/confirmation.ts'
import type { AllowedKind } from '../../api/v1/conversation/conversations.ts'
import type { Conversation, ConversationPatch } from '../../store/conversation/conversations.ts'

/** What a person can change in a conversation; what is absent stays. */
export interface ConversationChanges {
  title?: string | undefined
  max_iterations?: number | undefined
  max_budget_per_task?: number | null | undefined
  llm_model?: string | undefined
  confirmation_policy?: ConfirmationPolicy | undefined
  security_analyzer?: SecurityAnalyzer | null | undefined
  /** Ids of the kinds that stay allowed. */
  always_allowed?: string[] | undefined
}

/** Its name is for people here, wherever the agent runs. */
export function isOnlyTitle(changes: ConversationChanges): boolean {
  return Object.entries(changes).every(([name, value]) => name === 'title' || value === undefined)
}

export function patchOf(conversation: Conversation, changes: ConversationChanges): ConversationPatch {
  const { always_allowed: kept, ...fields } = changes
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return {
    ...known,
    ...(changes.title !== undefined && { title_is_default: false }),
    ...(kept && { always_allowed: conversation.always_allowed.filter(key => kept.includes(idOf(key))) }),
  }
}

/** In words; the keys themselves hold commands to the letter and are nobody's business. */
export function allowedKinds({ always_allowed }: Conversation): AllowedKind[] {
  return always_allowed.map(key => ({ id: idOf(key), text: describeKind(key) }))
}

function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}
