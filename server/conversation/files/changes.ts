import { createHash } from 'node:crypto'
import { describeKind } from '../../agent/confirmation.ts'
import { reachedLimit } from '../../agent/limits.ts'
import type { AllowedKind, ConfirmationPolicy, SecurityAnalyzer } from '../../api/v1/conversation/confirmation.ts'
import type { Conversation, ConversationPatch } from '../../store/conversation/conversations.ts'

/** What a person can change in a conversation; what is absent stays. */
export interface ConversationChanges {
  title?: string | undefined
  pinned?: boolean | undefined
  /** Carried out by itself, since what works for it goes along. */
  archived?: boolean | undefined
  max_iterations?: number | undefined
  max_budget_per_task?: number | null | undefined
  llm_model?: string | undefined
  confirmation_policy?: ConfirmationPolicy | undefined
  security_analyzer?: SecurityAnalyzer | null | undefined
  /** Ids of the kinds that stay allowed. */
  always_allowed?: string[] | undefined
}

/** Its name and place in the list are for people here, wherever the agent runs. */
export function isOnlyForList(changes: ConversationChanges): boolean {
  const names = ['title', 'pinned', 'archived']
  return Object.entries(changes).every(([name, value]) => names.includes(name) || value === undefined)
}

/** A limit that is not reached any more does not count as reached. */
export function patchOf(conversation: Conversation, changes: ConversationChanges): ConversationPatch {
  const { always_allowed: kept, pinned, archived: _, ...fields } = changes
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const pinned_at = pinned ? (conversation.pinned_at ?? new Date().toISOString()) : null
  const changed = { ...conversation, ...known }
  return {
    ...known,
    ...(changes.title !== undefined && { title_is_default: false }),
    // One that is not pinned any more is not old at once.
    ...(pinned !== undefined && { pinned_at, ...(!pinned && { listed_at: new Date().toISOString() }) }),
    ...(kept && { always_allowed: conversation.always_allowed.filter(key => kept.includes(idOf(key))) }),
    ...(conversation.limit_reached && reachedLimit(changed.stats, changed) === null && { limit_reached: null }),
  }
}

/** In words; the keys themselves hold commands to the letter and are nobody's business. */
export function allowedKinds({ always_allowed }: Conversation): AllowedKind[] {
  return always_allowed.map(key => ({ id: idOf(key), text: describeKind(key) }))
}

function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}
