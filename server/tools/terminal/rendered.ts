import { setImmediate as nextTurn } from 'node:timers/promises'
import { BOUNDS } from '../../domain/bounds.ts'
import type { SessionEmulator } from './emulator/session-emulator.ts'
import { StrippedText } from './emulator/stripped-text.ts'
import { type EmulatorThread, RenderingError } from './emulator/thread.ts'
import { TimeAllowance } from './emulator/time-allowance.ts'
import { MESSAGES } from './messages.ts'
import type { Transcript } from './transcript.ts'

/** Given to the emulator at once, and kept until it is rendered. */
const BATCH_CHARS = 128 * 1024
/** Shorter pieces that wait are joined: a program may write each character by itself. */
const PIECE_CHARS = 8 * 1024

/**
 * Output as a terminal shows it. Lines that have left the screen at its top go to the transcript. Where rendering takes too
 * long or fails, the rest of the output is its plain text, and the transcript says so.
 */
export class RenderedOutput {
  readonly #transcript: Transcript
  readonly #emulator: SessionEmulator
  readonly #onReply: (data: string) => void
  readonly #allowance = new TimeAllowance()
  #thread: EmulatorThread | undefined
  /** In place of the emulator, where that has failed. */
  #stripped: StrippedText | undefined
  #waiting: string[] = []
  #waitingChars = 0
  #skippedChars = 0
  /** Some output came faster than it could be rendered. */
  skipped = false
  #written = 0
  #done = 0
  #settling: { position: number; resolve: () => void }[] = []
  #rendering = false
  #visible = ''
  #finished = false
  #closed = false

  /** @param onReply what the terminal answers to a program's question about itself */
  constructor(transcript: Transcript, emulator: SessionEmulator, onReply: (data: string) => void) {
    this.#transcript = transcript
    this.#emulator = emulator
    this.#onReply = onReply
  }

  write(text: string): void {
    if (text.length === 0 || this.#closed) return
    const last = this.#waiting.length - 1
    const piece = this.#waiting[last]
    if (piece !== undefined && piece.length < PIECE_CHARS) this.#waiting[last] = piece + text
    else this.#waiting.push(text)
    this.#waitingChars += text.length
    this.#written += text.length
    while (this.#waitingChars > BOUNDS.terminalWaitingOutput.limit && this.#waiting.length > 1) this.#skip()
    if (!this.#rendering) void this.#render()
  }

  /** Resolves when everything that is written by now has been rendered or left out; what comes meanwhile may go on. */
  settled(): Promise<void> {
    if (this.#done >= this.#written || this.#closed) return Promise.resolve()
    return new Promise(resolve => this.#settling.push({ position: this.#written, resolve }))
  }

  /** What is on the screen, each line with a line feed before it unless it is the first of all. */
  visible(): string {
    return this.#visible
  }

  /** No output follows: the emulator is not needed beyond what waits. */
  finish(): void {
    this.#finished = true
    if (!this.#rendering) this.#release()
  }

  close(): void {
    this.#closed = true
    this.#waiting = []
    this.#release()
    this.#settle(Number.POSITIVE_INFINITY)
  }

  /** Never rejects. */
  async #render(): Promise<void> {
    this.#rendering = true
    while (this.#waiting.length > 0 && !this.#closed) {
      const left = this.#skippedChars
      this.#skippedChars = 0
      const batch = this.#takeBatch()
      const note = left > 0 ? `\r\n[${left} characters are left out here]\r\n` : ''
      if (!this.#stripped) await this.#renderBatch(note + batch)
      else {
        this.#transcript.append(this.#stripped.push(note + batch))
        await nextTurn()
      }
      this.#settle(this.#done + batch.length)
    }
    this.#rendering = false
    if (this.#finished) this.#release()
  }

  async #renderBatch(text: string): Promise<void> {
    try {
      this.#thread ??= await this.#emulator.take()
      if (this.#closed) return this.#release()
      const since = performance.now()
      const { scrolled, visible, replies } = await this.#thread.render(text, this.#allowance.leftMs)
      this.#allowance.spend(performance.now() - since, text.length)
      if (this.#closed) return
      this.#append(scrolled)
      this.#visible = this.#transcript.begun ? visible : visible.replace(/^\n/, '')
      if (replies) this.#onReply(replies)
    } catch (error) {
      if (!this.#closed) this.#goOnPlain(error instanceof RenderingError ? error.message : 'the renderer failed', text)
    }
  }

  /** @param text what the emulator was given last: nobody knows how much of it was rendered */
  #goOnPlain(why: string, text: string): void {
    this.#release()
    const before = this.#visible || (this.#transcript.begun ? '\n' : '')
    this.#visible = ''
    this.#stripped = new StrippedText()
    const note = MESSAGES.notRendered(why)
    this.#transcript.append(`${before.trim() === '' ? before : `${before}\n`}${note}\n${this.#stripped.push(text)}`)
  }

  #append(scrolled: string): void {
    if (scrolled === '') return
    if (!this.#transcript.begun && scrolled.startsWith('\n')) this.#transcript.appendLine(scrolled.slice(1))
    else this.#transcript.append(scrolled)
  }

  #takeBatch(): string {
    const batch: string[] = []
    let chars = 0
    while (chars < BATCH_CHARS) {
      const [next] = this.#waiting
      if (next === undefined) break
      const room = BATCH_CHARS - chars
      if (next.length <= room) this.#waiting.shift()
      else this.#waiting[0] = next.slice(room)
      batch.push(next.slice(0, room))
      chars += Math.min(next.length, room)
    }
    this.#waitingChars -= chars
    return batch.join('')
  }

  #skip(): void {
    const skipped = this.#waiting.shift()?.length ?? 0
    this.#waitingChars -= skipped
    this.#skippedChars += skipped
    this.#done += skipped
    this.skipped = true
  }

  #settle(position: number): void {
    this.#done = position
    const due = this.#settling.filter(waiter => waiter.position <= position)
    this.#settling = this.#settling.filter(waiter => waiter.position > position)
    for (const { resolve } of due) resolve()
  }

  #release(): void {
    if (this.#thread) this.#emulator.giveBack(this.#thread)
    this.#thread = undefined
  }
}
