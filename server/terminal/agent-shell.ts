import { StringDecoder } from 'node:string_decoder'
import { BOUNDS } from '../domain/bounds.ts'
import type { SharedShell } from '../domain/shared-shell.ts'
import type { ShellWatcher } from '../domain/shell-watcher.ts'
import type { Mask, MaskStream } from '../secret/mask/mask.ts'
import { clipMiddle } from '../text/clip.ts'
import { TerminalInput } from './input.ts'
import { KeptOutput } from './kept-output.ts'
import { TAKE_MODES_BACK } from './modes.ts'
import type { AttachedViewer } from './terminal.ts'
import { type ViewerSink, Viewers } from './viewers.ts'

/** The size of the agent's terminal: its programs draw for that, whatever room a viewer has. */
interface Size {
  cols: number
  rows: number
}

/** Of the newest output, so much waits to be shown. */
const WAITING_BYTES = 256 * 1024
/** Masking takes milliseconds for so much, and the service has other things to do. */
const SHOWN_AT_ONCE = 64 * 1024
const SHOW_MS = 50
/** What may be the beginning of a secret is shown when nothing comes after it for so long. */
const QUIET_MS = 300
const COMMAND_CHARS = 2_000

/** Bright black, for which a terminal keeps the contrast; for faint text it keeps half of it. */
const FAINT = '\x1b[90m'
const BOLD = '\x1b[1m'
const PLAIN = '\x1b[0m'

export type Owner = 'agent' | 'person'

export interface AgentShellOptions {
  mask: Pick<Mask, 'mask' | 'stream'>
  size: Size
  owner: Owner
  shared: SharedShell
}

/** Somebody who shows the shell of an agent, and may use it. */
export interface AgentShellViewer extends AttachedViewer {
  /** @throws AppError conflict while the agent works, or a program runs, and those of the sandbox */
  run(command: string): Promise<void>
}

/** A piece of what is to be shown: bytes of a program, or a line of ours about it. */
type Piece = { output: Buffer } | { line: string }

/**
 * What the shell of an agent shows, for people who look: each command as after a prompt, its output as it comes, with secrets
 * masked, and how it ended. The agent never waits for them: of output that comes faster than it can be shown, the oldest is
 * left out. While nobody looks, the newest waits unread, which costs next to nothing.
 */
export class AgentShell implements ShellWatcher {
  readonly #mask: Pick<Mask, 'mask' | 'stream'>
  readonly #output = new KeptOutput(BOUNDS.terminalScreen.limit)
  readonly #viewers: Viewers
  #waiting: Piece[] = []
  #waitingBytes = 0
  #leftOutBytes = 0
  #masked: MaskStream
  #decoder = new StringDecoder('utf8')
  readonly #shared: SharedShell
  #isAtLineStart = true
  #owner: Owner
  #isRunning = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: AgentShellOptions) {
    this.#mask = options.mask
    this.#shared = options.shared
    this.#owner = options.owner
    this.#masked = options.mask.stream()
    this.#viewers = new Viewers({ output: this.#output, size: () => options.size })
  }

  get isWatched(): boolean {
    return this.#viewers.count > 0
  }

  set owner(owner: Owner) {
    if (owner === this.#owner) return
    this.#owner = owner
    this.#viewers.tell({ type: 'owner', owner })
  }

  began(command: string, workingDir: string): void {
    this.#tellRunning(true)
    const shown = visible(this.#mask.mask(command))
    this.#add({ line: `${FAINT}${visible(workingDir)}${PLAIN} ${BOLD}$ ${shown}${PLAIN}\r\n` })
  }

  showed(data: Buffer): void {
    this.#add({ output: data })
  }

  ended(exitCode: number, what: 'command' | 'shell'): void {
    const said = what === 'shell' ? 'The shell has ended.' : exitCode === 0 ? '' : `Exit code ${exitCode}`
    this.#add({ line: said && `${FAINT}[${said}]${PLAIN}\r\n` })
    this.#tellRunning(false)
  }

  /** @param refuse called with the reason where what was typed did not arrive */
  attach(sink: ViewerSink, refuse: (error: unknown) => void): AgentShellViewer {
    const state = [
      { type: 'owner', owner: this.#owner },
      { type: 'program', running: this.#isRunning },
    ] as const
    const viewer = this.#viewers.attach(sink, state)
    const input = new TerminalInput(bytes => this.#shared.type(bytes).catch(refuse))
    this.#schedule(0)
    return {
      acknowledge: viewer.acknowledge,
      detach: viewer.detach,
      type: bytes => input.add(bytes, () => sink.tell({ type: 'typed', bytes: bytes.length })),
      run: command => this.#shared.start(command),
      // Programs in it are answered by the service, and draw for a size that is the same for everybody.
      answer: () => {},
      resize: () => {},
    }
  }

  #tellRunning(running: boolean): void {
    this.#isRunning = running
    this.#viewers.tell({ type: 'program', running })
  }

  #add(piece: Piece): void {
    this.#waiting.push(piece)
    this.#waitingBytes += lengthOf(piece)
    while (this.#waitingBytes > WAITING_BYTES) {
      const oldest = this.#waiting.shift()
      if (!oldest) break
      this.#waitingBytes -= lengthOf(oldest)
      this.#leftOutBytes += lengthOf(oldest)
    }
    this.#schedule(SHOW_MS)
  }

  #schedule(milliseconds: number): void {
    if (!this.isWatched || this.#timer) return
    this.#timer = setTimeout(() => this.#show(), milliseconds)
  }

  #show(): void {
    this.#timer = undefined
    const text = this.#waiting.length > 0 ? this.#nextText() : this.#told(this.#masked.flush())
    if (text !== '') {
      this.#output.append(Buffer.from(text))
      this.#viewers.notice()
    }
    if (this.#waiting.length > 0) this.#schedule(SHOW_MS)
    else if (text !== '') this.#schedule(QUIET_MS)
  }

  #nextText(): string {
    let text = this.#noteOfLeftOut()
    let length = 0
    for (let piece = this.#waiting[0]; piece && length < SHOWN_AT_ONCE; piece = this.#waiting[0]) {
      this.#waiting.shift()
      this.#waitingBytes -= lengthOf(piece)
      length += lengthOf(piece)
      text +=
        'output' in piece ? this.#told(this.#masked.push(this.#decoder.write(piece.output))) : this.#line(piece.line)
    }
    return text
  }

  #told(text: string): string {
    if (text !== '') this.#isAtLineStart = text.endsWith('\n')
    return text
  }

  /** A line of ours stands on a line of its own, whatever the program before it has left. */
  #line(line: string): string {
    const rest = this.#told(this.#masked.push(this.#decoder.end()) + this.#masked.flush())
    const begin = this.#isAtLineStart ? '' : '\r\n'
    this.#isAtLineStart = true
    return `${rest}${TAKE_MODES_BACK}${begin}${line}`
  }

  /** What was left out can have ended anywhere, in the middle of a character too. */
  #noteOfLeftOut(): string {
    if (this.#leftOutBytes === 0) return ''
    const amount = Math.ceil(this.#leftOutBytes / 1024)
    this.#leftOutBytes = 0
    const line = this.#line(`${FAINT}[${amount} KB are left out here.]${PLAIN}\r\n`)
    this.#masked = this.#mask.stream()
    this.#decoder = new StringDecoder('utf8')
    return line
  }
}

function lengthOf(piece: Piece): number {
  return 'output' in piece ? piece.output.length : piece.line.length
}

/** A command as it was meant, with its lines, and without what would make the terminal do something else. */
function visible(command: string): string {
  const shown = clipMiddle(command, COMMAND_CHARS, () => ' … ')
  return shown.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '').replaceAll('\n', '\r\n  ')
}
