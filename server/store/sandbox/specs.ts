import { z } from 'zod'
import { type SandboxSpecDefinition, sandboxSpecDefinition } from '../../api/v1/sandbox/specs.ts'
import type { Database, Row } from '../database/database.ts'

export interface SandboxSpecRow {
  id: string
  createdAt: string
  /** Name of the file that it was imported from. */
  importedFrom?: string | undefined
  definition: SandboxSpecDefinition
}

/** What somebody chose to start from, and which image the settings named then. */
export interface DefaultSpec {
  specId: string
  settingsImage: string
}

const defaultRow = z.object({ spec_id: z.string(), settings_image: z.string() })

/** The user's own specs, and which of all specs is the default. */
export class SandboxSpecTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Oldest first. */
  all(): SandboxSpecRow[] {
    const found = this.#database.all('SELECT id, created_at, body FROM sandbox_spec ORDER BY created_at, id')
    return this.#database.damaged.readAll('sandbox_spec', found, one => one.id, toRow)
  }

  get(id: string): SandboxSpecRow | undefined {
    const found = this.#database.get('SELECT id, created_at, body FROM sandbox_spec WHERE id = ?', [id])
    return found && this.#database.damaged.read('sandbox_spec', id, () => toRow(found))
  }

  /** Inserts or replaces. */
  save({ id, createdAt, definition, importedFrom }: SandboxSpecRow): void {
    const sql = `INSERT INTO sandbox_spec (id, created_at, body) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET body = excluded.body`
    this.#database.run(sql, [id, createdAt, JSON.stringify({ ...definition, imported_from: importedFrom })])
  }

  delete(id: string): void {
    this.#database.transaction(() => {
      this.#database.run('DELETE FROM sandbox_spec WHERE id = ?', [id])
      this.#database.run('DELETE FROM sandbox_spec_default WHERE spec_id = ?', [id])
    })
  }

  chosenDefault(): DefaultSpec | undefined {
    const found = this.#database.get('SELECT spec_id, settings_image FROM sandbox_spec_default')
    if (!found) return undefined
    const chosen = this.#database.damaged.read('sandbox_spec_default', found.spec_id, () => defaultRow.parse(found))
    return chosen && { specId: chosen.spec_id, settingsImage: chosen.settings_image }
  }

  /** undefined goes back to what counts without a choice. */
  chooseDefault(choice: DefaultSpec | undefined): void {
    this.#database.transaction(() => {
      this.#database.run('DELETE FROM sandbox_spec_default')
      if (!choice) return
      const sql = 'INSERT INTO sandbox_spec_default (spec_id, settings_image) VALUES (?, ?)'
      this.#database.run(sql, [choice.specId, choice.settingsImage])
    })
  }
}

/** Beside what its form has. */
const origin = z.object({ imported_from: z.string().optional() })

function toRow(found: Row): SandboxSpecRow {
  const body: unknown = JSON.parse(String(found.body))
  return {
    id: String(found.id),
    createdAt: String(found.created_at),
    definition: sandboxSpecDefinition.parse(body),
    importedFrom: origin.parse(body).imported_from,
  }
}
