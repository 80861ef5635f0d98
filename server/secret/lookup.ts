import { AppError, messageOf } from '../errors.ts'

/** Where a value is to be had. */
export interface LookupSource {
  url: string
  headers: Readonly<Record<string, string>>
}

/** @throws AppError unavailable with what is wrong; the signal's reason when aborted */
export type Lookup = (name: string, source: LookupSource, signal: AbortSignal) => Promise<string>

const TIMEOUT_MS = 30_000
/** As long a value is taken for the same, and an address that failed is left alone. */
const KEPT_MS = 60_000
const MOST_BYTES = 65_536
const MOST_KEPT = 500

type Outcome = { kind: 'value'; value: string } | { kind: 'failed'; why: string }

/** Asks addresses for secrets: one GET with the given headers, which no redirect takes elsewhere. */
export function createLookup(options: { fetch: typeof globalThis.fetch; now: () => number }): Lookup {
  const kept = new Map<string, { until: number; outcome: Outcome }>()
  return async (name, source, signal) => {
    const key = JSON.stringify([source.url, source.headers])
    const known = kept.get(key)
    const outcome = known && known.until > options.now() ? known.outcome : await ask(source, options.fetch, signal)
    if (outcome !== known?.outcome) {
      kept.delete(key)
      kept.set(key, { until: options.now() + KEPT_MS, outcome })
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    }
    if (outcome.kind === 'value') return outcome.value
    throw new AppError(
      'unavailable',
      `The secret ${name} could not be had from ${hostOf(source.url)}: ${outcome.why} It is asked again after a minute.`,
    )
  }
}

async function ask(source: LookupSource, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Outcome> {
  const unusable = problemOf(source.url)
  if (unusable) return failed(unusable)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(source.url, {
      headers: source.headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      return failed(`It answered with status ${response.status}.`)
    }
    return understood(await textOf(response))
  } catch (error) {
    signal.throwIfAborted()
    return failed(timeout.aborted ? `It did not answer within ${TIMEOUT_MS / 1000} seconds.` : cause(error))
  }
}

/** `fetch` would quote the whole address in its complaint, with what it carries. */
function problemOf(address: string): string | undefined {
  if (!URL.canParse(address)) return 'It is no address.'
  const { username, password } = new URL(address)
  return username || password ? 'It carries a user name or password, which belong into a header.' : undefined
}

function understood(value: string | null): Outcome {
  if (value === null) return failed(`It answered with more than ${MOST_BYTES} bytes.`)
  if (value === '') return failed('It answered with nothing.')
  return value.includes('\0') ? failed('It answered with something that is no text.') : { kind: 'value', value }
}

/** null when it is too long. */
async function textOf(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > MOST_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function failed(why: string): Outcome {
  return { kind: 'failed', why }
}

/** What `fetch` hides behind "fetch failed". */
function cause(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return `${messageOf(inner).slice(0, 200) || 'It could not be reached'}.`
}

/** Without what an address may carry of secrets. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its address'
}
