import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from './log.ts'
import { clipEnd } from './text/clip.ts'

const FOLDER = 'crashes'
/** The moment, as file systems take it in a name. */
const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.txt$/
const MAX_REPORTS = 10
const MAX_REPORT_CHARACTERS = 20_000
const MAX_CAUSES = 5

export interface CrashReport {
  path: string
  at: Date
}

/**
 * Keeps what is known of a crash in the data folder, and nowhere else. Never throws: the crash is bad enough.
 * @param options `mask` hides secrets
 * @returns where it is; null where it could not be kept
 */
export function writeCrashReport(
  dataDir: string,
  error: unknown,
  { version, mask, log }: { version: string; mask: (text: string) => string; log: Pick<Log, 'fatal'> },
): string | null {
  log.fatal({ error }, 'The service crashed')
  const at = new Date().toISOString()
  try {
    const folder = join(dataDir, FOLDER)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const old of namesIn(folder).slice(MAX_REPORTS - 1)) rmSync(join(folder, old), { force: true })
    const path = join(folder, `${at.replace(/[:.]/g, '-')}.txt`)
    const machine = `Atelier ${version}, Node.js ${process.versions.node}, ${process.platform} ${process.arch}`
    // Masked whole: a value that the end cuts through would not be known again.
    const text = clipEnd(`${at}\n${machine}\n\n${mask(describeError(error))}\n`, MAX_REPORT_CHARACTERS)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  } catch {
    return null
  }
}

/** What failed and was waited for by nobody: no crash, and worth a line. */
export function logUnexpected(log: Pick<Log, 'error'>, reason: unknown): void {
  log.error({ error: reason }, 'Something failed that nobody waited for')
}

/** Newest first. */
export function crashReports(dataDir: string): CrashReport[] {
  const folder = join(dataDir, FOLDER)
  return namesIn(folder).map(name => ({ path: join(folder, name), at: new Date(name.replace(NAME, '$1:$2:$3.$4')) }))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => NAME.test(name))
      .sort()
      .reverse()
  } catch {
    return []
  }
}

/** With the stacks of its causes, and without further fields, which may hold anything. */
export function describeError(error: unknown): string {
  const texts: string[] = []
  for (let next = error; next !== undefined && next !== null && texts.length < MAX_CAUSES; ) {
    texts.push(next instanceof Error ? (next.stack ?? next.message) : String(next))
    next = next instanceof Error ? next.cause : undefined
  }
  return texts.join('\n\nCaused by: ')
}
