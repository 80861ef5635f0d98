import { t } from './text.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Decimal units, three digits at most: `640 MB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const exponent = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  const value = bytes / 1000 ** exponent
  return `${value < 10 && exponent > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[exponent]}`
}

/** `0.2 s`, `41 s`, `3 min 5 s`, `2 h 4 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 10) return t('seconds', { seconds: seconds.toFixed(1) })
  if (seconds < 60) return t('seconds', { seconds: String(Math.floor(seconds)) })
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return t('minutesAndSeconds', { minutes, seconds: Math.floor(seconds % 60) })
  return t('hoursAndMinutes', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

export function formatPercent(percent: number): string {
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
}

/** US dollars, never rounded to a false nothing. */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '< $0.01'
  return `$${dollars.toFixed(2)}`
}

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
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/** To stand in a sentence: `just now`, `5 min ago`, `on 3 Nov 2026`. */
export function formatAgo(time: number, now: number): string {
  const age = formatAge(time, now)
  if (now - time < MINUTE) return t('justNow')
  return now - time < 30 * DAY ? t('ago', { age }) : t('onDate', { date: age })
}

export function formatMoment(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
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
  if (amount < 10_000) return amount.toLocaleString('en')
  if (amount < 1_000_000) return `${Math.round(amount / 1000)}k`
  return `${(amount / 1_000_000).toFixed(1)}M`
}
