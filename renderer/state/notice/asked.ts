import type { Event } from '../../../server/api/event/events.ts'
import { itemsOf } from '../conversation/items.ts'
import { waitingCalls } from '../conversation/waiting-calls.ts'
import { t } from './text.ts'

/** A longer one is cut off where a desktop shows it. */
const MAX_COMMAND = 160

/** What cannot be seen, ends the line, or turns the direction of what follows: such a command could show another one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * The one command that waits for a person's word, where a notification can show all that would be accepted: no other call waits
 * with it, and it is short and plain.
 * @param events the newest of the conversation, in their order
 */
export function askedCommand(events: readonly Event[]): { call: string; body: string } | null {
  const [call, ...others] = waitingCalls(itemsOf(events))
  if (!call || others.length > 0 || call.action?.kind !== 'TerminalAction') return null
  const { command, is_input } = call.action
  if (is_input || command.length > MAX_COMMAND || UNSEEN.test(command)) return null
  return { call: call.id, body: t('agentWantsToRun', { command }) }
}
