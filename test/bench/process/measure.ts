import { existsSync, readFileSync } from 'node:fs'

/** One line of the report. Times are medians unless `what` says otherwise. */
export interface Row {
  what: string
  unit: 'ms' | 'events/s' | 'MB' | 'descriptors' | '%'
  atelier: number
  /** The bare way to the same result, in the same run. */
  bare: number | null
  /** Atelier's part of the bare value; for times and sizes less is better, for rates more. */
  ratio: number | null
  /** What Atelier takes more than the bare way. */
  added: number | null
  aim: string | null
  met: boolean | null
  runs: number
}

/** One measured run of each side; resolves with the value, whatever had to be done around it. */
export interface Sides {
  atelier: () => Promise<number>
  bare: () => Promise<number>
}

export type Samples = Record<keyof Sides, number[]>

/** Both sides in turn, the first one alternating, so that what else the machine does falls on both alike. */
export async function interleave(sides: Sides, options: { warmUps: number; runs: number }): Promise<Samples> {
  const samples: Samples = { atelier: [], bare: [] }
  for (let round = -options.warmUps; round < options.runs; round++) {
    const order = round % 2 === 0 ? (['bare', 'atelier'] as const) : (['atelier', 'bare'] as const)
    for (const side of order) {
      const value = await sides[side]()
      if (round >= 0) samples[side].push(value)
    }
  }
  return samples
}

/** Milliseconds that the work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/**
 * Milliseconds that the main thread was on a processor while the work went on: what a busy machine does not change much.
 * Linux only, NaN elsewhere.
 */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = mainThreadMs()
  await work()
  return mainThreadMs() - before
}

function mainThreadMs(): number {
  const file = `/proc/self/task/${process.pid}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : Number.NaN
}

/** @param share 0.5 is the median. @throws when there are no values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('There is nothing to measure by.')
  return value
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export type Aim =
  | { kind: 'ratio'; atMost: number }
  | { kind: 'added'; atMost: number }
  | { kind: 'value'; atMost: number }
  | { kind: 'value'; atLeast: number }

/** @param share which quantile of both sides is compared */
export function compare(
  what: string,
  samples: Samples,
  options: { unit?: Row['unit']; aim?: Aim; share?: number } = {},
): Row {
  const { unit = 'ms', aim, share = 0.5 } = options
  const atelier = quantile(samples.atelier, share)
  const bare = quantile(samples.bare, share)
  return row({ what, unit, atelier, bare, runs: samples.atelier.length, ...(aim && { aim }) })
}

export function row(values: Pick<Row, 'what' | 'unit' | 'atelier' | 'bare' | 'runs'> & { aim?: Aim }): Row {
  const { aim, ...rest } = values
  const { atelier, bare } = values
  const compared = { ratio: bare === null ? null : atelier / bare, added: bare === null ? null : atelier - bare }
  if (!aim) return { ...rest, ...compared, aim: null, met: null }
  return { ...rest, ...compared, ...judged(aim, { atelier, bare, unit: values.unit }) }
}

function judged(aim: Aim, { atelier, bare, unit }: Pick<Row, 'atelier' | 'bare' | 'unit'>): Pick<Row, 'aim' | 'met'> {
  if (aim.kind === 'ratio') return { aim: `≤ ${aim.atMost} ×`, met: bare !== null && atelier / bare <= aim.atMost }
  if (aim.kind === 'added')
    return { aim: `≤ +${aim.atMost} ${unit}`, met: bare !== null && atelier - bare <= aim.atMost }
  if ('atLeast' in aim) return { aim: `≥ ${aim.atLeast} ${unit}`, met: atelier >= aim.atLeast }
  return { aim: `≤ ${aim.atMost} ${unit}`, met: atelier <= aim.atMost }
}

/** A quantile of times that have no bare baseline, in milliseconds. */
export function value(what: string, times: readonly number[], share: number, atMost?: number): Row {
  return row({
    what,
    unit: 'ms',
    atelier: quantile(times, share),
    bare: null,
    runs: times.length,
    ...(atMost && { aim: { kind: 'value', atMost } as const }),
  })
}
