import { pathToFileURL } from 'node:url'
import { BOUNDS } from '../../domain/bounds.ts'
import { loadSqlite } from '../../store/search/sqlite.ts'
import type { ForeignFolder } from './folder.ts'
import { conversationIdOf, type Fields, textIn } from './values.ts'

const FILE = 'openhands.db'

/**
 * What the app's database says of its conversations, by their ids here. It is read as a file that does not change: nothing is
 * locked, and nothing is written beside it.
 * @returns `problem` in words where it cannot be read
 */
export function readDatabase(folder: ForeignFolder, sqlite: string): { rows: Map<string, Fields>; problem?: string } {
  const rows = new Map<string, Fields>()
  const file = folder.plainFile(FILE)
  if (!file) return { rows }
  if (file.bytes > BOUNDS.openHandsDatabase.limit) return { rows, problem: `${FILE} is too large to be read` }
  const address = pathToFileURL(file.path)
  address.search = '?mode=ro&immutable=1'
  try {
    const { DatabaseSync } = loadSqlite(sqlite)
    const database = new DatabaseSync(address.href, { readOnly: true })
    try {
      const statement = database.prepare('SELECT * FROM conversation_metadata LIMIT ?')
      for (const row of statement.all(BOUNDS.dataFileConversations.limit) as Fields[]) {
        rows.set(conversationIdOf(textIn(row, 'conversation_id')), row)
      }
    } finally {
      database.close()
    }
    return { rows }
  } catch {
    return { rows, problem: `${FILE} has other tables than are known, or is in use` }
  }
}
