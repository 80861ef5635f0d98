import { Slices } from '../../async/slices.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import { LogFacts } from './log-facts.ts'

/** Events that are looked at in one piece; most of them are passed over by the database. */
const PIECE = 100
/** For what has come since the log was read, where nobody can wait. */
const MAX_MS_AT_ONCE = 20
/** The facts of one conversation take some 50 kB at most. */
const MAX_CONVERSATIONS = 500

type Read = Pick<Conversation, 'id' | 'created_at'>

interface Reading {
  /** An id may be given again after its conversation was deleted. */
  createdAt: string
  facts: LogFacts
  /** The first event that was not looked at yet. */
  next: number
}

/** Keeps what the logs say, so that each event is looked at once, and never many of them in one turn. */
export class LogReader {
  readonly #eventLog: Pick<EventLog, 'telling' | 'lastSeq'>
  /** The one that was asked for last comes last. */
  readonly #readings = new Map<ConversationId, Reading>()

  constructor(eventLog: Pick<EventLog, 'telling' | 'lastSeq'>) {
    this.#eventLog = eventLog
  }

  /** Reads on to the end, in slices. */
  async read(conversation: Read): Promise<LogFacts> {
    const slices = new Slices()
    for (;;) {
      const { facts, next } = this.#readOn(conversation)
      if (next > this.#eventLog.lastSeq(conversation.id)) return facts
      if (slices.due()) await slices.turn()
    }
  }

  /** In this turn: as far as the log was read, and the little that may have come since. */
  known(conversation: Read): LogFacts {
    const began = performance.now()
    for (;;) {
      const { facts, next } = this.#readOn(conversation)
      if (next > this.#eventLog.lastSeq(conversation.id) || performance.now() - began > MAX_MS_AT_ONCE) return facts
    }
  }

  #readOn({ id, created_at }: Read): Reading {
    const last = this.#eventLog.lastSeq(id)
    const kept = this.#readings.get(id)
    const reading = kept?.createdAt === created_at ? kept : { createdAt: created_at, facts: new LogFacts(), next: 0 }
    if (reading.next <= last) {
      const to = Math.min(last, reading.next + PIECE - 1)
      for (const event of this.#eventLog.telling(id, reading.next, to)) reading.facts.add(event)
      reading.next = to + 1
    }
    this.#readings.delete(id)
    this.#readings.set(id, reading)
    const [oldest] = this.#readings.keys()
    if (this.#readings.size > MAX_CONVERSATIONS && oldest !== undefined) this.#readings.delete(oldest)
    return reading
  }
}
