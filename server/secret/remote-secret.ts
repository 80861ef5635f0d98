import { AppError } from '../domain/errors.ts'
import { outboundErrorIn } from '../outbound/problem.ts'

/** Where a value is to be had. */
interface RemoteSource {
  url: string
  headers: Readonly<Record<string, string>>
}

/** @throws AppError unavailable with what is wrong; the signal's reason when aborted */
export type ReadRemoteSecret = (name: string, source: RemoteSource, signal: AbortSignal) => Promise<string>

/** As long a value is taken for the same, and an address that failed is left alone. */
const KEPT_MS = 60_000
const MAX_KEPT = 500

type Outcome = { kind: 'value'; value: string } | { kind: 'failed'; why: string }

/** Asks addresses for secrets: one GET with the given headers, which no redirect takes elsewhere. */
export function createRemoteSecretReader(options: {
  fetch: typeof globalThis.fetch
  now: () => number
}): ReadRemoteSecret {
  const kept = new Map<string, { until: number; outcome: Outcome }>()
  return async (name, source, signal) => {
    const key = JSON.stringify([source.url, source.headers])
    const known = kept.get(key)
    const outcome = known && known.until > options.now() ? known.outcome : await ask(source, options.fetch, signal)
    if (outcome !== known?.outcome) {
      kept.delete(key)
      kept.set(key, { until: options.now() + KEPT_MS, outcome })
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    }
    if (outcome.kind === 'value') return outcome.value
    throw new AppError(
      'unavailable',
      `The secret ${name} could not be had from ${hostOf(source.url)}: ${outcome.why} It is asked again after a minute.`,
    )
  }
}

async function ask(source: RemoteSource, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Outcome> {
  const unusable = problemOf(source.url)
  if (unusable) return failed(unusable)
  try {
    const response = await fetch(source.url, {
      headers: source.headers,
      redirect: 'manual',
      signal,
    })
    if (!response.ok) {
      await response.body?.cancel()
      return failed(`It answered with status ${response.status}.`)
    }
    return outcomeOf(Buffer.from(await response.arrayBuffer()).toString())
  } catch (error) {
    signal.throwIfAborted()
    return failed(outboundErrorIn(error)?.message ?? 'It could not be reached.')
  }
}

function problemOf(address: string): string | undefined {
  if (!URL.canParse(address)) return 'It is no address.'
  const { username, password } = new URL(address)
  return username || password ? 'It carries a user name or password, which belong into a header.' : undefined
}

function outcomeOf(value: string): Outcome {
  if (value === '') return failed('It answered with nothing.')
  return value.includes('\0') ? failed('It answered with something that is no text.') : { kind: 'value', value }
}

function failed(why: string): Outcome {
  return { kind: 'failed', why }
}

/** Without what an address may carry of secrets. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its address'
}
