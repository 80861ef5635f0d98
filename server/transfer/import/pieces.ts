import { event as anyEvent, type Event } from '../../api/event/events.ts'
import { maskedFreeText } from '../../secret/mask/free-text.ts'
import { placeholderOf } from '../../store/database/damaged-event.ts'
import type { StoredEvent } from '../../store/events.ts'
import { type ConversationLine, conversationLine } from '../format.ts'
import type { DataReader } from './messages.ts'

const BATCH = 200
const BATCH_CHARACTERS = 1024 * 1024

/** An event before anybody has looked whether it is one. */
export type GivenEvent = Record<string, unknown> & { id: string; seq: number }

/** Gives one conversation out in pieces, with what is secret hidden. */
export class ConversationPieces {
  events = 0
  unreadable = 0
  readonly #mask: (text: string) => string
  readonly #reader: Pick<DataReader, 'give'> | undefined
  #batch: StoredEvent[] = []
  #characters = 0

  /** @param reader undefined only checks */
  constructor(mask: (text: string) => string, reader: Pick<DataReader, 'give'> | undefined) {
    this.#mask = mask
    this.#reader = reader
  }

  get isBetweenBatches(): boolean {
    return this.events > 0 && this.events % BATCH === 0
  }

  async begin(conversation: ConversationLine['conversation']): Promise<void> {
    const masked = maskedFreeText(conversationLine.shape.conversation, conversation, this.#mask)
    await this.#reader?.give({ kind: 'conversation', conversation: masked })
  }

  /** What does not fit is as a row is that cannot be read: a notice takes its place. */
  async add(value: GivenEvent): Promise<void> {
    const { data } = anyEvent.safeParse(value)
    if (!data) this.unreadable++
    const event: Event = data ?? placeholderOf({ ...value, body: JSON.stringify(value) })
    this.events++
    if (!this.#reader) return
    const { seq, id, kind, timestamp } = event
    const stored = { seq, id, kind, timestamp, body: JSON.stringify(maskedFreeText(anyEvent, event, this.#mask)) }
    this.#batch.push(stored)
    this.#characters += stored.body.length
    if (this.#batch.length >= BATCH || this.#characters >= BATCH_CHARACTERS) await this.#give()
  }

  /** Whatever belongs to it beside its events comes after this. */
  async endEvents(): Promise<void> {
    await this.#give()
  }

  async end(): Promise<void> {
    await this.endEvents()
    await this.#reader?.give({ kind: 'conversation-end' })
  }

  async #give(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#characters = 0
    if (batch.length > 0) await this.#reader?.give({ kind: 'events', events: batch })
  }
}
