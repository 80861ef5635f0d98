import type { NetworkPolicy } from '../../api/network-policy.ts'
import { networkPolicy } from '../../api/v1/sandbox/network.ts'
import type { Database } from '../database/database.ts'

/** Of a row that cannot be read, as its sandbox may have been closed. */
const CLOSED: NetworkPolicy = { network: 'none', allowlist: { presets: [], hosts: [] } }

/**
 * What sandboxes reach, where that was changed after their start: by their ids alone, which are random, since an engine may come to
 * be known under another entry, and one that was closed is not to be opened by that. Read often, so that it is kept in memory too.
 */
export class SandboxNetworkTable {
  readonly #database: Database
  readonly #policies: Map<string, NetworkPolicy>

  constructor(database: Database) {
    this.#database = database
    const rows = database.all('SELECT sandbox_id, body FROM sandbox_network')
    const read = (id: string, body: string) =>
      database.damaged.read('sandbox_network', id, () => networkPolicy.parse(JSON.parse(body))) ?? CLOSED
    this.#policies = new Map(
      rows.map(row => [String(row.sandbox_id), read(String(row.sandbox_id), String(row.body))] as const),
    )
  }

  get(sandboxId: string): NetworkPolicy | undefined {
    return this.#policies.get(sandboxId)
  }

  /** @throws AppError store_failed, disk_full */
  save(sandboxId: string, policy: NetworkPolicy): void {
    const sql = `INSERT INTO sandbox_network (sandbox_id, body) VALUES (?, ?)
      ON CONFLICT (sandbox_id) DO UPDATE SET body = excluded.body`
    this.#database.run(sql, [sandboxId, JSON.stringify(policy)])
    this.#policies.set(sandboxId, policy)
  }

  forget(sandboxId: string): void {
    if (!this.#policies.delete(sandboxId)) return
    this.#database.run('DELETE FROM sandbox_network WHERE sandbox_id = ?', [sandboxId])
  }
}
