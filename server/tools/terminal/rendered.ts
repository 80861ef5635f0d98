import { type IBufferLine, type IMarker, Terminal } from '@xterm/headless'
import type { Transcript } from './transcript.ts'

export const COLUMNS = 256
export const ROWS = 50

/** One slice scrolls at most this many lines, so none is lost between two looks. */
const SLICE_BYTES = 4096
const BATCH_SLICES = 64
/** Output that waits to be rendered; what comes faster than that for long is left out in the middle. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024

const TAB = 0x09
/** Stands for a tab, which a terminal would turn into spaces: `cat Makefile` must show what is in the file. */
const TAB_MARK = '\ue009'
const TAB_MARK_BYTES = Buffer.from(TAB_MARK)

/** Output as a terminal shows it. Lines that have left the screen at its top go to the transcript. */
export class RenderedOutput {
  readonly #terminal = new Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: SLICE_BYTES + ROWS,
    allowProposedApi: true,
    logLevel: 'off',
  })
  readonly #transcript: Transcript
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #skippedBytes = 0
  /** Some output came faster than it could be rendered. */
  skipped = false
  #rendering: Promise<void> | undefined
  /** The first line that is not in the transcript yet; lines above the screen do not change any more. */
  #next: IMarker | undefined

  /** @param onReply what the terminal answers to a program's question about itself */
  constructor(transcript: Transcript, onReply: (data: string) => void) {
    this.#transcript = transcript
    this.#next = this.#terminal.registerMarker(0)
    this.#terminal.onData(onReply)
  }

  write(data: Buffer): void {
    if (data.length === 0) return
    this.#waiting.push(data)
    this.#waitingBytes += data.length
    while (this.#waitingBytes > MAX_WAITING_BYTES && this.#waiting.length > 1) {
      const skipped = this.#waiting.shift()?.length ?? 0
      this.#waitingBytes -= skipped
      this.#skippedBytes += skipped
      this.skipped = true
    }
    this.#rendering ??= this.#render()
  }

  /** Resolves when everything written so far is rendered. */
  async settled(): Promise<void> {
    await this.#rendering
  }

  /** What is on the screen, each line with a line feed before it unless it is the first of all. */
  visible(): string {
    const buffer = this.#terminal.buffer.active
    let text = ''
    for (let y = buffer.baseY; y < buffer.baseY + ROWS; y++) {
      const line = buffer.getLine(y)
      if (!line) break
      const first = y === buffer.baseY && (!this.#transcript.begun || this.#fullScreen)
      text += line.isWrapped || first ? lineText(line) : `\n${lineText(line)}`
    }
    return text.trimEnd()
  }

  close(): void {
    this.#waiting = []
    this.#terminal.dispose()
  }

  async #render(): Promise<void> {
    while (this.#waiting.length > 0) {
      const note =
        this.#skippedBytes > 0 ? [Buffer.from(`\r\n[${this.#skippedBytes} bytes are left out here]\r\n`)] : []
      this.#skippedBytes = 0
      await this.#renderBatch(Buffer.concat([...note, ...this.#takeBatch()]))
    }
    this.#rendering = undefined
  }

  #takeBatch(): Buffer[] {
    const batch: Buffer[] = []
    let bytes = 0
    while (bytes < BATCH_SLICES * SLICE_BYTES) {
      const chunk = this.#waiting.shift()
      if (!chunk) break
      batch.push(chunk)
      bytes += chunk.length
    }
    this.#waitingBytes -= bytes
    return batch
  }

  #renderBatch(data: Buffer): Promise<void> {
    return new Promise(resolve => {
      for (let at = 0; at < data.length; at += SLICE_BYTES) {
        const slice = data.subarray(at, at + SLICE_BYTES)
        const last = at + SLICE_BYTES >= data.length
        this.#terminal.write(this.#fullScreen ? slice : keepTabs(slice), () => {
          this.#harvest()
          if (last) resolve()
        })
      }
    })
  }

  get #fullScreen(): boolean {
    return this.#terminal.buffer.active.type === 'alternate'
  }

  #harvest(): void {
    if (this.#fullScreen) return
    const buffer = this.#terminal.buffer.normal
    const from = Math.max(0, this.#next?.line ?? 0)
    if (buffer.baseY <= from && this.#next && !this.#next.isDisposed) return
    for (let y = from; y < buffer.baseY; y++) this.#append(buffer.getLine(y))
    this.#next?.dispose()
    this.#next = this.#terminal.registerMarker(-buffer.cursorY)
  }

  #append(line: IBufferLine | undefined): void {
    if (!line) return
    if (line.isWrapped) this.#transcript.append(lineText(line))
    else this.#transcript.appendLine(lineText(line))
  }
}

function lineText(line: IBufferLine): string {
  return line.translateToString(true).replaceAll(TAB_MARK, '\t')
}

function keepTabs(data: Buffer): Buffer {
  if (!data.includes(TAB)) return data
  const pieces: Buffer[] = []
  let from = 0
  for (let at = data.indexOf(TAB); at >= 0; at = data.indexOf(TAB, from)) {
    pieces.push(data.subarray(from, at), TAB_MARK_BYTES)
    from = at + 1
  }
  return Buffer.concat([...pieces, data.subarray(from)])
}
