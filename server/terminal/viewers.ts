import type { TerminalFrame } from '../api/v1/sandbox/terminal-frames.ts'
import { BOUNDS } from '../domain/bounds.ts'
import type { KeptOutput } from './kept-output.ts'

/** Who shows a terminal: a socket. Neither may throw. */
export interface ViewerSink {
  tell(frame: TerminalFrame): void
  /** Bytes for its terminal. */
  show(bytes: Buffer): void
}

/** One who shows a terminal, and how far it is. */
export interface Viewer {
  /** It has shown this many more bytes. */
  acknowledge(bytes: number): void
  detach(): void
}

interface Size {
  cols: number
  rows: number
}

/** Of one frame. */
const PIECE_BYTES = 32 * 1024
/** Who has shown nothing for so long does not hold the others, nor the program, up. */
const STALLED_MS = 5_000

/**
 * Those who show one terminal, each as fast as it can: no more than BOUNDS.terminalUnread is under way to one, and all read
 * from what is kept. One that was too slow for that begins anew with the screen as it is then.
 */
export class Viewers {
  readonly #output: KeptOutput
  readonly #size: () => Size
  readonly #onProgress: () => void
  readonly #all = new Set<Reader>()
  #pumping: NodeJS.Immediate | undefined

  /** @param onProgress somebody can take more, or somebody has come or gone */
  constructor(options: { output: KeptOutput; size: () => Size; onProgress?: () => void }) {
    this.#output = options.output
    this.#size = options.size
    this.#onProgress = options.onProgress ?? (() => {})
  }

  get count(): number {
    return this.#all.size
  }

  /** @param first what it is to know before the screen */
  attach(sink: ViewerSink, first: readonly TerminalFrame[] = []): Viewer {
    const reader = new Reader(sink, this.#output, this.#size)
    for (const frame of first) sink.tell(frame)
    this.#all.add(reader)
    reader.pump()
    this.#onProgress()
    return {
      acknowledge: bytes => {
        reader.acknowledge(bytes)
        reader.pump()
        this.#onProgress()
      },
      detach: () => {
        this.#all.delete(reader)
        this.#onProgress()
      },
    }
  }

  /** New output is shown in a later turn, with all that comes until then. */
  notice(): void {
    this.#pumping ??= setImmediate(() => {
      this.#pumping = undefined
      for (const reader of this.#all) reader.pump()
    })
  }

  tell(frame: TerminalFrame): void {
    for (const { sink } of this.#all) sink.tell(frame)
  }

  /** Everybody begins anew: what is kept is another terminal's now. */
  restart(): void {
    for (const reader of this.#all) reader.restart()
    this.notice()
  }

  /** For how many milliseconds at most nobody can take more; 0 when somebody can, or nobody is there to be waited for. */
  heldMs(): number {
    const now = performance.now()
    let longest = 0
    for (const reader of this.#all) {
      const left = reader.stalledSince === undefined ? STALLED_MS : reader.stalledSince + STALLED_MS - now
      if (reader.hasRoom) return 0
      if (left > 0) longest = Math.max(longest, left)
    }
    return longest
  }
}

class Reader {
  readonly sink: ViewerSink
  readonly #output: KeptOutput
  readonly #size: () => Size
  /** The next byte to send; undefined before the first screen. */
  #place: number | undefined
  #unread = 0
  /** Since when it was sent something and has shown nothing of it. */
  stalledSince: number | undefined

  constructor(sink: ViewerSink, output: KeptOutput, size: () => Size) {
    this.sink = sink
    this.#output = output
    this.#size = size
  }

  get hasRoom(): boolean {
    const waiting = this.#output.end - (this.#place ?? this.#output.end)
    return this.#unread + waiting < BOUNDS.terminalUnread.limit
  }

  acknowledge(bytes: number): void {
    this.#unread = Math.max(0, this.#unread - bytes)
    this.stalledSince = this.#unread === 0 ? undefined : performance.now()
  }

  restart(): void {
    this.#place = undefined
  }

  pump(): void {
    if (this.#unread >= BOUNDS.terminalUnread.limit) return
    if (this.#place === undefined || this.#place < this.#output.start) this.#beginAnew()
    while (this.#place !== undefined && this.#place < this.#output.end) {
      const room = BOUNDS.terminalUnread.limit - this.#unread
      if (room <= 0) return
      const piece = this.#output.read(this.#place, Math.min(room, PIECE_BYTES))
      this.#place += piece.length
      this.#show(piece)
    }
  }

  #beginAnew(): void {
    const before = Buffer.from(this.#output.sequencesBefore())
    this.#place = this.#output.start
    this.sink.tell({ type: 'screen', ...this.#size(), bytes: before.length + this.#output.end - this.#place })
    if (before.length > 0) this.#show(before)
  }

  #show(bytes: Buffer): void {
    this.#unread += bytes.length
    this.stalledSince ??= performance.now()
    this.sink.show(bytes)
  }
}
