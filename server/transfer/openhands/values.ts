import { createHash } from 'node:crypto'
import { type ConversationId, conversationIdIn } from '../../domain/ids.ts'
import { isRecord } from '../../domain/is-record.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Fields of what is an object, none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

export function textIn(fields: Fields, ...names: string[]): string {
  return optionalText(fields, ...names) ?? ''
}

/** The first of the fields that is a text. */
export function optionalText(fields: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

export function listIn(fields: Fields, name: string): unknown[] {
  const value = fields[name]
  return Array.isArray(value) ? value : []
}

export function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function integerIn(fields: Fields, name: string): number | undefined {
  const value = numberIn(fields, name)
  return value === undefined ? undefined : Math.trunc(value)
}

/** A field only where it has a value. */
export function given<Name extends string, Value>(name: Name, value: Value | undefined | null) {
  return (value === undefined || value === null ? {} : { [name]: value }) as Partial<Record<Name, Value>>
}

export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/**
 * A time as it is stored here. Python writes one without an offset for the clock of the container, which is UTC.
 * @returns undefined for what is none
 */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 50) return undefined
  const iso = value.trim().replace(' ', 'T')
  const time = new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`)
  const year = time.getUTCFullYear()
  return year >= 1970 && year < 10_000 ? time.toISOString() : undefined
}

/** 32 hexadecimal digits that are always the same for the same names. */
export function stableHex(...names: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32)
}

/** The id that a conversation has here: its own where that is a UUID. */
export function conversationIdOf(name: string): ConversationId {
  return conversationIdIn(name) ?? (stableHex('openhands', name) as ConversationId)
}

/** Images that are shown: what is in the text itself, or lies at an address of the web. */
export function imagesIn(values: readonly unknown[]): string[] {
  return values.filter((url): url is string => typeof url === 'string' && /^(?:data:image\/|https:\/\/)/i.test(url))
}
