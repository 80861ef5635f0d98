import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UPDATE_PROBLEMS } from '../ipc.ts'
import { replaceFile } from '../replace-file.ts'

const problem = z.object({ code: z.enum(UPDATE_PROBLEMS), detail: z.string().max(2_000).nullable() })
const version = z.string().max(64)
const record = z.object({
  allowed: z.boolean().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  /** The version whose verified package waits to be installed. */
  ready: version.nullable(),
  /** What was about to be installed when the app ended. */
  installing: z.object({ version, from: version, backup: z.string().max(200), problem: problem.nullable() }).nullable(),
  previous: z.object({ version, backup: z.string().max(200) }).nullable(),
})

/** What is remembered of updates from one start to the next. */
export type UpdateRecord = z.output<typeof record>

const NOTHING: UpdateRecord = { allowed: null, checkedAt: null, ready: null, installing: null, previous: null }

/** A file that is missing or makes no sense is the beginning: nothing is allowed. */
export function readRecord(folder: string): UpdateRecord {
  try {
    return record.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')))
  } catch {
    return NOTHING
  }
}

export function writeRecord(folder: string, value: UpdateRecord): void {
  replaceFile(fileIn(folder), JSON.stringify(value))
}

function fileIn(folder: string): string {
  return join(folder, 'record.json')
}

const DAY_MS = 24 * 60 * 60_000

/** At most once a day; a clock that was set back does not end the looking. */
export function isDue({ allowed, checkedAt }: Pick<UpdateRecord, 'allowed' | 'checkedAt'>, now: Date): boolean {
  if (allowed !== true) return false
  if (checkedAt === null) return true
  const age = now.getTime() - Date.parse(checkedAt)
  return age < 0 || age >= DAY_MS
}
