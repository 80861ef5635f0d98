import { v5 } from 'uuid'
import { AppError, isAppError } from '../domain/errors.ts'
import { type ConversationId, parseConversationId } from '../domain/ids.ts'

const MAX_LENGTH = 100
/** Names stand for the ids that RFC 9562 (version 5) makes of them in this namespace. */
const NAMESPACE = 'b3f6a1de-70a5-4d0f-9b5e-2f0c1f1b0f7e'

/**
 * The id of a conversation by what a client of the legacy generation calls it: a UUID, or any other name.
 * @throws AppError invalid_id for what cannot be a name
 */
export function legacyConversationId(text: string): ConversationId {
  if (text === '') throw refused('is empty')
  if (text.length > MAX_LENGTH) throw refused('is too long')
  if (text.includes('\0')) throw refused('contains invalid characters')
  if (/\.\.|[/\\]/.test(text)) throw refused('contains invalid path characters')
  if ([...text].some(character => character < ' ')) throw refused('contains control characters')
  return parseUuid(text) ?? (v5(text, NAMESPACE).replaceAll('-', '') as ConversationId)
}

/** Whether it is no id but a name of the client's own. */
export function isConversationName(text: string): boolean {
  return parseUuid(text) === undefined
}

function parseUuid(text: string): ConversationId | undefined {
  try {
    return parseConversationId(text)
  } catch (error) {
    if (isAppError(error, 'invalid_id')) return undefined
    throw error
  }
}

function refused(why: string): AppError {
  return new AppError('invalid_id', `Conversation ID ${why}`)
}
