import { AppError, isAppError } from '../errors.ts'
import { type ConversationId, parseConversationId } from '../ids.ts'

const MAX_LENGTH = 100

/** undefined for what can not be any conversation's id. @throws AppError invalid_id for what is no id at all */
export function legacyConversationId(text: string): ConversationId | undefined {
  if (text.length > MAX_LENGTH) throw refused('is too long')
  if (text.includes('\0')) throw refused('contains invalid characters')
  if (/\.\.|[/\\]/.test(text)) throw refused('contains invalid path characters')
  if ([...text].some(character => character < ' ')) throw refused('contains control characters')
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
