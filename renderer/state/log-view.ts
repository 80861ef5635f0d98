import { LOG_LEVELS, type LogLevel, type LogLine } from '../../server/api/v1/system/log.ts'

/** The lines that are there, in their order, with the places from where earlier and later ones are read. */
export interface LogView {
  lines: readonly LogLine[]
  before: string | null
  after: string
}

interface Piece extends LogView {
  began_anew: boolean
}

export const MAX_LOG_LINES = 5_000

/** With what was written since. The oldest lines go where there are too many; they can be read again. */
export function appended(known: LogView, piece: Piece): LogView {
  if (piece.began_anew) return { lines: piece.lines, before: piece.before, after: piece.after }
  const lines = [...known.lines, ...piece.lines]
  const kept = lines.slice(-MAX_LOG_LINES)
  const before = kept.length < lines.length ? (kept[0]?.id ?? known.before) : known.before
  return { lines: kept, before, after: piece.after }
}

/** With what was written before. */
export function prepended(known: LogView, piece: LogView): LogView {
  return { ...known, lines: [...piece.lines, ...known.lines], before: piece.before }
}

export interface LogFilter {
  /** Lines that are as serious as this, or more. */
  level: LogLevel
  text: string
}

export function filtered(lines: readonly LogLine[], { level, text }: LogFilter): LogLine[] {
  const wanted = text.trim().toLowerCase()
  const least = LOG_LEVELS.indexOf(level)
  return lines.filter(
    line =>
      LOG_LEVELS.indexOf(line.level) >= least &&
      (wanted === '' || `${line.message} ${line.details ?? ''}`.toLowerCase().includes(wanted)),
  )
}

/** As text, for the clipboard. */
export function logText(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, level, message, details }) => [at, level.toUpperCase(), message, details].filter(Boolean).join(' '))
    .join('\n')
}
