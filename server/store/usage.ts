import { z } from 'zod'
import { type ModelUsage, modelUsage } from '../api/v1/system/usage.ts'
import type { Database } from './database/database.ts'

const row = z.object({ day: z.string(), ...modelUsage.shape })
export type UsageRow = z.output<typeof row>

const SUMS = [
  'steps',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
  'unknown_cost_steps',
] as const satisfies (keyof ModelUsage)[]

const ADD = `INSERT INTO usage_day (day, model, usage_id, ${SUMS.join(', ')})
  VALUES (?, ?, ?, ${SUMS.map(() => '?').join(', ')})
  ON CONFLICT (day, model, usage_id) DO UPDATE SET ${SUMS.map(name => `${name} = ${name} + excluded.${name}`).join(', ')}`

/** What models were used for on each day. Knows no conversations, so it outlives them. */
export class UsageTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Part of the transaction of whoever calls it. `day` is `YYYY-MM-DD`. */
  add(day: string, usage: ModelUsage): void {
    this.#database.run(ADD, [day, usage.model, usage.usage_id, ...SUMS.map(name => usage[name])])
  }

  /** From that day on, oldest first. */
  since(day: string): UsageRow[] {
    const sql = `SELECT day, model, usage_id, ${SUMS.join(', ')} FROM usage_day WHERE day >= ? ORDER BY day, model, usage_id`
    return this.#database.damaged.readAll(
      'usage_day',
      this.#database.all(sql, [day]),
      found => `${found.day} ${found.model}`,
      found => row.parse(found),
    )
  }
}
