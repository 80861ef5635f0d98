import { LOCALE } from '../language/current.ts'
import { t } from './text.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Decimal units, three digits at most: `640 MB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const exponent = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  const value = bytes / 1000 ** exponent
  // The short form of this one unit is the whole word.
  if (exponent === 0) return `${formatNumber(value, 0)} B`
  const fraction = value < 10 ? 1 : 0
  return numberFormat(fraction, { style: 'unit', unit: UNITS[exponent], unitDisplay: 'short' }).format(value)
}

/** `0.2 s`, `41 s`, `3 min 5 s`, `2 h 4 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 10) return t('seconds', { seconds: formatNumber(seconds, 1) })
  if (seconds < 60) return t('seconds', { seconds: formatNumber(Math.floor(seconds), 0) })
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return t('minutesAndSeconds', { minutes, seconds: Math.floor(seconds % 60) })
  return t('hoursAndMinutes', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** `0.2%`, `41%`; in other languages with a blank, as they write it. */
export function formatPercent(percent: number): string {
  return numberFormat(percent < 10 ? 1 : 0, { style: 'unit', unit: 'percent' }).format(percent)
}

/** US dollars, never rounded to a false nothing. */
export function formatCost(dollars: number): string {
  const money = numberFormat(2, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
  return dollars > 0 && dollars < 0.01 ? `< ${money.format(0.01)}` : money.format(dollars)
}

/** With so many digits after the decimal sign. */
function formatNumber(value: number, fraction: number): string {
  return numberFormat(fraction).format(value)
}

function numberFormat(fraction: number, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${options.unit ?? options.currency} ${fraction}`
  let format = NUMBER_FORMATS.get(key)
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, {
      ...options,
      minimumFractionDigits: fraction,
      maximumFractionDigits: fraction,
    })
    NUMBER_FORMATS.set(key, format)
  }
  return format
}

/** Making one costs more than formatting with it a hundred times. */
const NUMBER_FORMATS = new Map<string, Intl.NumberFormat>()

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `now`, `5 min`, `3 h`, `2 d`, then the date. */
export function formatAge(time: number, now: number): string {
  const age = now - time
  if (age < MINUTE) return t('now')
  if (age < HOUR) return t('minutes', { minutes: Math.floor(age / MINUTE) })
  if (age < DAY) return t('hours', { hours: Math.floor(age / HOUR) })
  if (age < 30 * DAY) return t('days', { days: Math.floor(age / DAY) })
  return new Date(time).toLocaleDateString(LOCALE, { dateStyle: 'medium' })
}

/** To stand in a sentence: `just now`, `5 min ago`, `on 3 Nov 2026`. */
export function formatAgo(time: number, now: number): string {
  const age = formatAge(time, now)
  if (now - time < MINUTE) return t('justNow')
  return now - time < 30 * DAY ? t('ago', { age }) : t('onDate', { date: age })
}

export function formatMoment(time: number): string {
  return MOMENT.format(time)
}

const MOMENT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })

/** To the second: `14:03:07`. */
export function formatTime(time: number): string {
  return new Date(time).toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
}

/** The last part of a folder's path. */
export function folderName(path: string): string {
  return path.split(/[/\\]/).findLast(part => part !== '') ?? path
}

/** `owner/name` of a git address or path, or the text itself. */
export function repositoryName(repository: string): string {
  const path = repository
    .replace(/\.git$/, '')
    .replace(/^[a-z+]+:\/\/[^/]+\//i, '')
    .replace(/^[^@/]+@[^:]+:/, '')
  return path.split('/').filter(Boolean).slice(-2).join('/') || repository
}

/** `1,204`, `84k`, `1.2M`: a number of tokens, as exact as a person wants to know it. */
export function formatTokens(amount: number): string {
  if (amount < 10_000) return formatNumber(amount, 0)
  if (amount < 1_000_000) return `${Math.round(amount / 1000)}k`
  return `${formatNumber(amount / 1_000_000, 1)}M`
}
