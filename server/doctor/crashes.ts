import { crashReports } from '../crash-reports.ts'
import { type Check, factsOf } from './check.ts'

const NEWS_MS = 7 * 24 * 3600 * 1000

/** An older crash is no news. */
export const crashesCheck =
  (dataDir: string, now: () => number = Date.now): Check =>
  async () => {
    const [last] = crashReports(dataDir)
    if (!last || now() - last.at.getTime() > NEWS_MS) return { state: 'ok', finding: 'crashes_none' }
    const facts = factsOf({ crashed_at: last.at.toISOString(), report: last.path })
    return { state: 'warning', finding: 'crashes_found', facts, action: 'show_log' }
  }
