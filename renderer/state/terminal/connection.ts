import {
  type AgentShellClientFrame,
  type TerminalFrame,
  terminalFrame,
} from '../../../server/api/v1/sandbox/terminal-frames.ts'
import { reconnectDelay } from '../../../server/client/updates-socket.ts'

/** `gone`: it was closed, or its sandbox was deleted. */
export type TerminalConnectionState = 'connecting' | 'open' | 'lost' | 'gone'

/** What the service says of a terminal beside its screen. */
export type TerminalNews = Exclude<TerminalFrame, { type: 'screen' | 'typed' }>

export interface TerminalListener {
  /** The screen begins anew; the next `bytes` bytes were written before. */
  onScreen(size: { cols: number; rows: number }, bytes: number): void
  /** @param shown to be called when the terminal has taken them */
  onBytes(bytes: Uint8Array, shown: () => void): void
  onFrame(frame: TerminalNews): void
  onState(state: TerminalConnectionState): void
}

const GONE = 4004
/** What is typed within it goes in one frame, as programs that follow the mouse are sent hundreds of events a second. */
const GATHER_MS = 12
const PIECE_BYTES = 32 * 1024
/** So much is sent before the service has confirmed it. */
const UNCONFIRMED_BYTES = 256 * 1024
/** What was shown is said when it is so much, or after a moment. */
const SHOWN_BYTES = 192 * 1024
const SHOWN_MS = 50

/** The socket of a terminal. It connects again by itself until it is closed, and gets the screen anew then. */
export class TerminalConnection {
  readonly #address: string
  readonly #key: string
  readonly #listener: TerminalListener
  readonly #connect: (address: string) => WebSocket
  readonly #encoder = new TextEncoder()
  #socket: WebSocket | undefined
  #attempt = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #isClosed = false
  /** The service has shown the screen: before that it keeps only a few frames. */
  #isAttached = false
  #waiting: Uint8Array[] = []
  #unconfirmed = 0
  #gathering: ReturnType<typeof setTimeout> | undefined
  #shown = 0
  #telling: ReturnType<typeof setTimeout> | undefined

  constructor(
    given: { url: string; key: string; path: string; connect?: (address: string) => WebSocket },
    listener: TerminalListener,
  ) {
    this.#address = `${given.url.replace(/^http/, 'ws')}${given.path}`
    this.#key = given.key
    this.#listener = listener
    this.#connect = given.connect ?? (address => new WebSocket(address))
  }

  readonly open = (): void => {
    if (this.#socket || this.#isClosed) return
    clearTimeout(this.#retry)
    const socket = this.#connect(this.#address)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    socket.onopen = () => this.#opened(socket)
    socket.onmessage = ({ data }) => this.#received(socket, data)
    socket.onclose = ({ code }) => this.#lost(socket, code)
  }

  close(): void {
    this.#isClosed = true
    for (const timer of [this.#retry, this.#gathering, this.#telling]) clearTimeout(timer)
    this.#socket?.close()
    this.#socket = undefined
  }

  type(data: string | Uint8Array): void {
    this.#waiting.push(typeof data === 'string' ? this.#encoder.encode(data) : data)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#sendTyped()
    }, GATHER_MS)
  }

  resize(cols: number, rows: number): void {
    this.#say({ type: 'resize', cols, rows })
  }

  /** For the shell of an agent. */
  run(command: string): void {
    this.#say({ type: 'run', command })
  }

  answer(text: string): void {
    this.#say({ type: 'answer', text })
  }

  #opened(socket: WebSocket): void {
    if (this.#socket !== socket) return
    socket.send(JSON.stringify({ type: 'auth', session_api_key: this.#key }))
    this.#unconfirmed = this.#shown = 0
  }

  #received(socket: WebSocket, data: unknown): void {
    if (this.#socket !== socket) return
    if (data instanceof ArrayBuffer) {
      this.#listener.onBytes(new Uint8Array(data), () => this.#tellShown(socket, data.byteLength))
      return
    }
    const frame = terminalFrame.safeParse(parseJson(data)).data
    if (frame?.type === 'screen') {
      this.#attempt = 0
      this.#isAttached = true
      this.#listener.onState('open')
      this.#listener.onScreen(frame, frame.bytes)
      this.#sendTyped()
    } else if (frame?.type === 'typed') {
      this.#unconfirmed = Math.max(0, this.#unconfirmed - frame.bytes)
      this.#sendTyped()
    } else if (frame) {
      if (frame.type === 'refused') this.#unconfirmed = 0
      this.#listener.onFrame(frame)
    }
  }

  #lost(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    this.#isAttached = false
    this.#waiting = []
    this.#listener.onState(code === GONE ? 'gone' : 'lost')
    if (code === GONE) return
    this.#retry = setTimeout(this.open, reconnectDelay(this.#attempt, Math.random()))
    this.#attempt += 1
  }

  #sendTyped(): void {
    while (this.#isAttached && this.#waiting.length > 0 && this.#unconfirmed < UNCONFIRMED_BYTES) {
      if (!this.#socket || this.#socket.readyState !== this.#socket.OPEN) return
      const piece = this.#nextPiece()
      this.#unconfirmed += piece.length
      this.#socket.send(piece)
    }
  }

  #nextPiece(): Uint8Array<ArrayBuffer> {
    const piece = new Uint8Array(PIECE_BYTES)
    let length = 0
    for (let next = this.#waiting[0]; next && length < PIECE_BYTES; next = this.#waiting[0]) {
      const part = next.subarray(0, PIECE_BYTES - length)
      piece.set(part, length)
      length += part.length
      if (part.length < next.length) this.#waiting[0] = next.subarray(part.length)
      else this.#waiting.shift()
    }
    return piece.slice(0, length)
  }

  #tellShown(socket: WebSocket, bytes: number): void {
    if (this.#socket !== socket) return
    this.#shown += bytes
    if (this.#shown >= SHOWN_BYTES) return this.#flushShown()
    this.#telling ??= setTimeout(() => this.#flushShown(), SHOWN_MS)
  }

  #flushShown(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    if (this.#shown > 0) this.#say({ type: 'shown', bytes: this.#shown })
    this.#shown = 0
  }

  #say(frame: AgentShellClientFrame): void {
    if (this.#socket && this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame))
  }
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
