import { HIDDEN } from '../../../server/api/contract/hidden-values.ts'
import type { Event } from '../../../server/api/event/events.ts'
import { itemsOf } from '../conversation/items.ts'
import { waitingCalls } from '../conversation/waiting-calls.ts'
import { t } from './text.ts'

/** A longer one is cut off where a desktop shows it. */
const MAX_COMMAND = 80

/** Words with single spaces: no other character, and no space, can hide a part of a command or pass for another one. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/**
 * The one command that waits for a person's word, where a notification can show all that would be accepted: no other call waits
 * with it, it is short and plain, and nothing rates it as risky.
 * @param events the newest of the conversation, in their order
 */
export function askedCommand(events: readonly Event[]): { call: string; body: string } | null {
  const [call, ...others] = waitingCalls(itemsOf(events))
  if (!call || others.length > 0 || call.action?.kind !== 'TerminalAction') return null
  const { command, is_input, reset } = call.action
  if (is_input || reset || call.security_risk === 'HIGH' || command.includes(HIDDEN)) return null
  if (command.length > MAX_COMMAND || !PLAIN.test(command)) return null
  return { call: call.id, body: t('agentWantsToRun', { command }) }
}
