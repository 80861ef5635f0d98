import { randomBytes } from 'node:crypto'
import { v4, v7 } from 'uuid'
import { AppError } from './errors.ts'

/** 32 lower-case hex digits: a UUID without dashes, the form that is written everywhere. */
export type ConversationId = string & { readonly __brand: 'ConversationId' }

export function newConversationId(): ConversationId {
  return v4().replaceAll('-', '') as ConversationId
}

/** Accepts the dashed and the 32-hex form. @throws AppError invalid_id */
export function parseConversationId(text: string): ConversationId {
  const id = conversationIdIn(text)
  if (id !== undefined) return id
  throw new AppError('invalid_id', 'The conversation id is not a UUID. Name one that a list of conversations gives.')
}

/** undefined for what is in neither form. */
export function conversationIdIn(text: string): ConversationId | undefined {
  const hex = text.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? (hex as ConversationId) : undefined
}

/** Events are ordered by their sequence number; the id is only unique (UUID version 7). */
export function newEventId(): string {
  return v7()
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `bytes` of randomness as base62 text. */
export function randomToken(bytes: number): string {
  let value = BigInt(`0x${randomBytes(bytes).toString('hex')}`)
  let text = ''
  while (value > 0n) {
    text = BASE62.charAt(Number(value % 62n)) + text
    value /= 62n
  }
  return text || '0'
}
