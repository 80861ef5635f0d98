import { type FileHandle, open } from 'node:fs/promises'
import { LOG_LEVELS, type LogLevel, type LogLine } from '../api/v1/system/log.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { isRecord } from '../domain/is-record.ts'
import { clipEnd } from '../text/clip.ts'

export interface LogPiece {
  lines: LogLine[]
  before: string | null
  after: string
  began_anew: boolean
}

export interface LogQuery {
  before?: string | null | undefined
  after?: string | null | undefined
}

/** A stretch of the file, in bytes. */
interface Stretch {
  start: number
  end: number
}

/**
 * The log as a person reads it, from its end, in pieces of bounded size. A cursor is the number of the file and a place
 * in it: a log that has reached its size is put away, and another file begins.
 */
export class LogFile {
  readonly #path: string
  readonly #mask: (text: string) => string

  /** @param mask hides secrets that were not known yet when a line was written */
  constructor(path: string, mask: (text: string) => string) {
    this.#path = path
    this.#mask = mask
  }

  /** Nothing where there is no log. */
  async read(query: LogQuery): Promise<LogPiece> {
    let file: FileHandle
    try {
      file = await open(this.#path, 'r')
    } catch {
      return { lines: [], before: null, after: '0:0', began_anew: false }
    }
    try {
      const { ino, size } = await file.stat()
      const { stretch, beganAnew } = choose(query, { ino, size })
      const piece = await readWhole(file, stretch)
      return {
        lines: piece.lines.map(({ at, text }) => this.#parse(`${ino}:${at}`, text)),
        before: piece.start > 0 ? `${ino}:${piece.start}` : null,
        after: `${ino}:${piece.end}`,
        began_anew: beganAnew,
      }
    } finally {
      await file.close()
    }
  }

  #parse(id: string, text: string): LogLine {
    const masked = this.#mask(text)
    try {
      const line: unknown = JSON.parse(masked)
      if (!isRecord(line)) return { ...PLAIN, id, message: shown(masked) }
      const { time, level, msg, ...rest } = line
      const at = typeof time === 'number' && Math.abs(time) < MAX_TIME ? new Date(time).toISOString() : null
      const details = Object.keys(rest).length > 0 ? shown(JSON.stringify(rest)) : null
      return { id, at, level: levelOf(level), message: shown(typeof msg === 'string' ? msg : ''), details }
    } catch {
      return { ...PLAIN, id, message: shown(masked) }
    }
  }
}

/** Of a JavaScript date. */
const MAX_TIME = 8.64e15

const PLAIN = { at: null, level: 'info', details: null } as const

function shown(text: string): string {
  return clipEnd(text, BOUNDS.logLine.limit)
}

/** pino counts levels in tens: https://getpino.io/#/docs/api?id=loggerlevel-string-gettersetter */
function levelOf(level: unknown): LogLevel {
  return LOG_LEVELS[Math.round(Number(level) / 10) - 1] ?? 'info'
}

function choose(
  { before, after }: LogQuery,
  { ino, size }: { ino: number; size: number },
): { stretch: Stretch; beganAnew: boolean } {
  const piece = BOUNDS.logPiece.limit
  const end = placeIn(before, ino)
  if (end !== null && end <= size) return { stretch: { start: Math.max(0, end - piece), end }, beganAnew: false }
  const start = placeIn(after, ino)
  const tail = { start: Math.max(0, size - piece), end: size }
  // What came in too quickly is left out, as the beginning of the tail would be.
  if (start !== null && start <= size)
    return { stretch: { start: Math.max(start, tail.start), end: size }, beganAnew: start < tail.start }
  return { stretch: tail, beganAnew: Boolean(before || after) }
}

/** null for the place in another file. */
function placeIn(cursor: string | null | undefined, ino: number): number | null {
  const [file, place] = cursor?.split(':').map(Number) ?? []
  return file === ino && place !== undefined ? place : null
}

const LINE_FEED = 0x0a

/** Whole lines alone: what a line of before ends with, or one that is still being written, is left for another piece. */
async function readWhole(file: FileHandle, { start, end }: Stretch) {
  // One byte more tells whether a line begins there.
  const from = Math.max(0, start - 1)
  const buffer = Buffer.alloc(end - from)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
  const bytes = buffer.subarray(0, bytesRead)
  const first = start === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1
  const last = bytes.lastIndexOf(LINE_FEED) + 1
  if ((start > 0 && first === 0) || last <= first) return { lines: [], start, end: start }
  const lines: { at: number; text: string }[] = []
  for (let at = first; at < last; ) {
    const lineEnd = bytes.indexOf(LINE_FEED, at)
    if (lineEnd > at) lines.push({ at: from + at, text: bytes.toString('utf8', at, lineEnd) })
    at = lineEnd + 1
  }
  return { lines, start: from + first, end: from + last }
}
