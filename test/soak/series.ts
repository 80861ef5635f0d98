import { type Line, regression } from './regression.ts'

export interface Series {
  name: string
  unit: string
  /** Minutes since the beginning, and the value then. */
  points: [minute: number, value: number][]
}

export interface Trend {
  series: Series
  line: Line
  /** Where the line begins: what comes before is warming up. */
  from: number
  perHour: number
  verdict: 'flat' | 'grows' | 'shrinks'
}

const WARM_UP = 0.25
/** A change that is smaller than this part of the value in an hour is not called one. */
const NOTABLE = 0.05
const FIT = 0.5

export function trendOf(series: Series): Trend {
  const last = series.points.at(-1)?.[0] ?? 0
  const from = last * WARM_UP
  const settled = series.points.filter(([minute]) => minute >= from)
  const line = regression(settled)
  const mean = settled.reduce((sum, [, value]) => sum + value, 0) / Math.max(1, settled.length)
  const perHour = line.slope * 60
  const isNotable = line.fit >= FIT && Math.abs(perHour) > NOTABLE * mean
  return { series, line, from, perHour, verdict: !isNotable ? 'flat' : perHour > 0 ? 'grows' : 'shrinks' }
}

export function trendRow({ series, line, perHour, verdict }: Trend): Record<string, string | number> {
  const values = series.points.map(([, value]) => value)
  const round = (value: number) => Number(value.toFixed(1))
  return {
    what: series.name,
    unit: series.unit,
    first: round(values[0] ?? 0),
    last: round(values.at(-1) ?? 0),
    least: round(Math.min(...values)),
    most: round(Math.max(...values)),
    'an hour': round(perHour),
    fit: Number(line.fit.toFixed(2)),
    trend: verdict,
  }
}
