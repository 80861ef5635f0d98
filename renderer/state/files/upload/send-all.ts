import { ApiError } from '../../../../server/client/api-error.ts'
import { joined } from '../tree.ts'
import type { Dropped } from './dropped.ts'

export type Existing = 'refuse' | 'replace' | 'keep_both'
export type Choice = Exclude<Existing, 'refuse'> | 'skip'

export interface Decision {
  choice: Choice
  forAll: boolean
}

export interface UploadProgress {
  done: number
  total: number
  bytes: number
  allBytes: number
}

/** `reason` is what was thrown; `file` is null for what could not even be read. */
export interface Failure {
  path: string
  file: File | null
  reason: unknown
}

export interface Outcome {
  uploaded: number
  failures: Failure[]
  /** Absolute paths of what was put into the folder itself, files and folders. */
  paths: string[]
}

interface Means {
  /** @returns the path that the file has now @throws ApiError */
  send: (file: Dropped, existing: Existing, onSent: (bytes: number) => void) => Promise<string>
  ask: (path: string) => Promise<Decision>
  onProgress: (progress: UploadProgress) => void
  signal: AbortSignal
}

/** After so many in a row that failed for the same reason the others would do so too. */
const MAX_ALIKE = 10

/**
 * Uploads one file after the other into a folder. One that fails does not hold up the rest; a question about one does.
 * @throws the reason of the signal
 */
export async function sendAll(folder: string, files: readonly Dropped[], means: Means): Promise<Outcome> {
  const { send, ask, onProgress, signal } = means
  const allBytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const outcome: Outcome = { uploaded: 0, failures: [], paths: [] }
  const tops = new Set<string>()
  let always: Choice | null = null
  let bytes = 0
  let alike = { code: '', count: 0 }
  for (const [done, dropped] of files.entries()) {
    if (alike.count >= MAX_ALIKE) {
      const reason = outcome.failures.at(-1)?.reason
      outcome.failures.push(...files.slice(done).map(file => ({ ...file, reason })))
      break
    }
    const { path, file } = dropped
    const progress = (sent: number) => onProgress({ done, total: files.length, bytes: bytes + sent, allBytes })
    progress(0)
    try {
      const now = await sendOrAsk(dropped, progress)
      if (now !== null) outcome.uploaded++
      tops.add(topOf(now ?? joined(folder, path), path))
      alike = { code: '', count: 0 }
    } catch (reason) {
      signal.throwIfAborted()
      const code = reason instanceof ApiError ? reason.code : ''
      alike = { code, count: code !== '' && code === alike.code ? alike.count + 1 : 1 }
      outcome.failures.push({ ...dropped, reason })
    }
    bytes += file.size
  }
  outcome.paths = [...tops]
  return outcome

  /** @returns null for what is left as it is there */
  async function sendOrAsk(dropped: Dropped, onSent: (bytes: number) => void): Promise<string | null> {
    try {
      return await send(dropped, 'refuse', onSent)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
      const decided = always === null ? await ask(joined(folder, dropped.path)) : { choice: always, forAll: true }
      if (decided.forAll) always = decided.choice
      return decided.choice === 'skip' ? null : await send(dropped, decided.choice, onSent)
    }
  }
}

/** The first part of what was put into a folder, of the path that it has now. */
function topOf(now: string, path: string): string {
  const below = path.split('/').length - 1
  return below === 0 ? now : now.split('/').slice(0, -below).join('/')
}
