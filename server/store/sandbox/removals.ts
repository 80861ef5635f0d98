import type { Database } from '../database/database.ts'

export type RemovalReason = 'deleted' | 'abandoned'

/**
 * Sandboxes that are to be removed, written before the removal begins and kept until the engine has nothing of them any more: a
 * removal outlives this process, the engine, and the entry that the engine is known under. Read often, so that it is kept in memory too.
 *
 * INVARIANT: why a sandbox is to go is found by its id alone; of which engine it is says only who may find that it is gone.
 */
export class RemovalRecords {
  readonly #database: Database
  /** By engine, then by sandbox. */
  readonly #reasons = new Map<string, Map<string, RemovalReason>>()

  constructor(database: Database) {
    this.#database = database
    for (const row of database.all('SELECT sandbox_id, reason, engine_id FROM sandbox_removal')) {
      const reason = row.reason === 'deleted' ? 'deleted' : 'abandoned'
      this.#of(String(row.engine_id)).set(String(row.sandbox_id), reason)
    }
  }

  of(engineId: string): SandboxRemovals {
    return new SandboxRemovals(this, engineId)
  }

  reasonOf(sandboxId: string): RemovalReason | undefined {
    return [...this.#reasons.values()].find(each => each.has(sandboxId))?.get(sandboxId)
  }

  idsOf(engineId: string): ReadonlySet<string> {
    return new Set(this.#reasons.get(engineId)?.keys())
  }

  has(engineId: string, sandboxId: string): boolean {
    return this.#reasons.get(engineId)?.has(sandboxId) ?? false
  }

  /** One that was deleted stays deleted. @throws AppError store_failed, and then it is known until the service ends */
  begin(engineId: string, sandboxId: string, reason: RemovalReason): void {
    const before = this.reasonOf(sandboxId)
    if (before === 'deleted' || before === reason) return
    this.#move(engineId, sandboxId, reason)
    const sql = `INSERT INTO sandbox_removal (sandbox_id, reason, engine_id) VALUES (?, ?, ?)
      ON CONFLICT (sandbox_id) DO UPDATE SET reason = excluded.reason, engine_id = excluded.engine_id`
    this.#database.run(sql, [sandboxId, reason, engineId])
  }

  forget(sandboxId: string): void {
    const known = [...this.#reasons.values()].filter(each => each.delete(sandboxId))
    if (known.length > 0) this.#database.run('DELETE FROM sandbox_removal WHERE sandbox_id = ?', [sandboxId])
  }

  /** An engine is known under another entry from now on. @throws AppError store_failed, and then it is so until the service ends */
  pass(from: string, to: string): void {
    const moved = [...this.#of(from)]
    if (moved.length === 0) return
    for (const [sandboxId, reason] of moved) this.#move(to, sandboxId, reason)
    this.#database.run('UPDATE sandbox_removal SET engine_id = ? WHERE engine_id = ?', [to, from])
  }

  /** An engine has these: removals that another entry has left are its own. @throws AppError store_failed */
  claim(engineId: string, sandboxIds: Iterable<string>): void {
    for (const sandboxId of sandboxIds) {
      const reason = this.has(engineId, sandboxId) ? undefined : this.reasonOf(sandboxId)
      if (reason === undefined) continue
      this.#move(engineId, sandboxId, reason)
      this.#database.run('UPDATE sandbox_removal SET engine_id = ? WHERE sandbox_id = ?', [engineId, sandboxId])
    }
  }

  /** Whether a conversation works in it. */
  isUsed(sandboxId: string): boolean {
    return this.#database.get('SELECT 1 FROM conversation WHERE sandbox_id = ? LIMIT 1', [sandboxId]) !== undefined
  }

  #move(engineId: string, sandboxId: string, reason: RemovalReason): void {
    for (const each of this.#reasons.values()) each.delete(sandboxId)
    this.#of(engineId).set(sandboxId, reason)
  }

  #of(engineId: string): Map<string, RemovalReason> {
    const found = this.#reasons.get(engineId) ?? new Map<string, RemovalReason>()
    this.#reasons.set(engineId, found)
    return found
  }
}

/** The removals as one engine sees them. */
export class SandboxRemovals {
  readonly #records: RemovalRecords
  readonly #engineId: string

  constructor(records: RemovalRecords, engineId: string) {
    this.#records = records
    this.#engineId = engineId
  }

  /** Those of this engine. */
  get ids(): ReadonlySet<string> {
    return this.#records.idsOf(this.#engineId)
  }

  /** Whether this engine is to remove it. */
  has(sandboxId: string): boolean {
    return this.#records.has(this.#engineId, sandboxId)
  }

  /** Of any engine's: the engine may have been known under another entry. */
  reasonOf(sandboxId: string): RemovalReason | undefined {
    return this.#records.reasonOf(sandboxId)
  }

  /** As `RemovalRecords.begin`. */
  begin(sandboxId: string, reason: RemovalReason): void {
    this.#records.begin(this.#engineId, sandboxId, reason)
  }

  forget(sandboxId: string): void {
    this.#records.forget(sandboxId)
  }

  /** As `RemovalRecords.claim`. */
  claim(sandboxIds: Iterable<string>): void {
    this.#records.claim(this.#engineId, sandboxIds)
  }

  isUsed(sandboxId: string): boolean {
    return this.#records.isUsed(sandboxId)
  }
}
