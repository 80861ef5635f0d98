import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RetentionPreview, RetentionRules } from '../api/v1/system/retention.ts'
import type { Bus } from '../bus.ts'
import { messageOf } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Log } from '../log.ts'
import type { SettingsService } from '../settings/service.ts'
import type { ConversationTable } from '../store/conversation/conversations.ts'
import { OldConversations } from '../store/conversation/old.ts'
import type { Database } from '../store/database/database.ts'
import { readNotice } from '../store/recovery/replace.ts'
import { setArchived } from './archive.ts'
import type { Deletion } from './deletion.ts'

interface Dependencies {
  old: OldConversations
  conversations: ConversationTable
  deletion: Pick<Deletion, 'delete'>
  /** Whether something uses a sandbox now: a terminal, a preview, a program of a person's. */
  isInUse: (sandboxId: string) => boolean
  settings: Pick<SettingsService, 'read'>
  bus: Bus
  log: Log
  now: () => Date
  /** When a backup was restored last, as ISO time; null for never. */
  restoredAt: () => string | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function openRetention(database: Database, parts: Omit<Dependencies, 'old' | 'now' | 'restoredAt'>): Retention {
  return new Retention({
    ...parts,
    old: new OldConversations(database),
    now: () => new Date(),
    restoredAt: () => readNotice(database.file)?.at ?? null,
  })
}

/** Archives and deletes conversations that were not used for as many days as the settings say. Without rules it does nothing. */
export class Retention {
  readonly #dependencies: Dependencies
  #work: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Looks now, each hour, and when the rules have changed. @returns how to stop; it waits for what goes on */
  start(): () => Promise<void> {
    const { bus } = this.#dependencies
    let before = JSON.stringify(this.#rules())
    // A computer that slept is looked at an hour after it woke at the latest.
    const timer = setInterval(() => void this.look(), HOUR_MS).unref()
    const unsubscribe = bus.subscribe(({ resource }) => {
      if (resource !== 'settings') return
      const rules = JSON.stringify(this.#rules())
      if (rules === before) return
      before = rules
      void this.look()
    })
    void this.look()
    return async () => {
      this.#isClosed = true
      clearInterval(timer)
      unsubscribe()
      await this.#work
    }
  }

  /** How many conversations these rules would archive and delete now. */
  preview(rules: RetentionRules): RetentionPreview {
    const { deleted, archived } = this.#due(rules)
    return { archived: archived.length, deleted: deleted.length }
  }

  /** Carries the rules out. Never rejects. */
  look(): Promise<void> {
    const { log } = this.#dependencies
    this.#work = this.#work
      .then(() => this.#carryOut())
      .catch(error => log.warn({ error: messageOf(error) }, 'Old conversations could not be looked for'))
    return this.#work
  }

  async #carryOut(): Promise<void> {
    const { conversations, deletion, isInUse, bus, log } = this.#dependencies
    const { deleted, archived } = this.#due(this.#rules())
    for (const { id } of archived) {
      if (this.#isClosed) return
      setArchived(conversations, id, true)
      bus.publish({ resource: 'conversation', id })
      await nextTurn()
    }
    for (const { id } of deleted) {
      const conversation = conversations.get(id)
      if (this.#isClosed) return
      // Each takes its time: one that was used meanwhile stays.
      if (!conversation || !this.#isToGo(id)) continue
      // A person may work in it without a word to the agent.
      if (isInUse(conversation.sandbox_id)) continue
      await deletion
        .delete(conversation, false)
        .catch(error => log.warn({ conversation: id, error: messageOf(error) }, 'An old conversation is deleted later'))
    }
    if (archived.length + deleted.length > 0)
      log.info({ archived: archived.length, deleted: deleted.length }, 'Old conversations were put away')
  }

  #due(rules: RetentionRules) {
    const { archive_after_days, delete_after_days } = rules
    const deleted = this.#unusedFor(delete_after_days)
    const goes = new Set(deleted.map(({ id }) => id))
    const archived = this.#unusedFor(archive_after_days).filter(({ id, isArchived }) => !isArchived && !goes.has(id))
    return { deleted, archived }
  }

  #unusedFor(days: number | null) {
    const before = this.#timeBefore(days)
    return before === null ? [] : this.#dependencies.old.unusedSince(before)
  }

  #isToGo(id: ConversationId): boolean {
    const before = this.#timeBefore(this.#rules().delete_after_days)
    return before !== null && this.#dependencies.old.isUnusedSince(before, id)
  }

  /** null where nothing is old enough. */
  #timeBefore(days: number | null): string | null {
    const { now, restoredAt } = this.#dependencies
    if (days === null) return null
    const before = new Date(now().getTime() - days * DAY_MS).toISOString()
    // What a person has just brought back is not taken away again.
    return (restoredAt() ?? '') < before ? before : null
  }

  #rules(): RetentionRules {
    const { archive_after_days, delete_after_days } = this.#dependencies.settings.read()
    return { archive_after_days, delete_after_days }
  }
}
