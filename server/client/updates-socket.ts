import { type ChangeFrame, changeFrame } from '../api/v1/system/system.ts'

/** Opens a WebSocket, with a library's where the runtime has none. */
export type Connect = (address: string) => WebSocket

export type UpdatesState = 'connecting' | 'open' | 'lost' | 'closed'

export interface UpdatesListener {
  onChange(frame: ChangeFrame): void
  /** Open again after a loss: everything may have changed meanwhile. */
  onReconnect(): void
}

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 8_000

/** The wait before try number `attempt` (from 0): doubling, bounded, spread so that windows do not come back in step. */
export function reconnectDelay(attempt: number, random: number): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)
  return full / 2 + (full / 2) * random
}

/** The service's change feed. Reconnects by itself until closed; its state is a store for `useSyncExternalStore`. */
export class UpdatesSocket {
  readonly #address: string
  readonly #key: string
  readonly #listener: UpdatesListener
  readonly #connect: Connect
  readonly #watchers = new Set<() => void>()
  #state: UpdatesState = 'connecting'
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #wasOpen = false

  constructor(connection: { url: string; key: string; connect?: Connect | undefined }, listener: UpdatesListener) {
    this.#address = `${connection.url.replace(/^http/, 'ws')}/sockets/updates`
    this.#key = connection.key
    this.#listener = listener
    this.#connect = connection.connect ?? (address => new WebSocket(address))
  }

  readonly state = (): UpdatesState => this.#state

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Connects now; also the way to skip the wait of a reconnect. */
  readonly open = (): void => {
    if (this.#socket || this.#state === 'closed') return
    clearTimeout(this.#timer)
    const socket = this.#connect(this.#address)
    this.#socket = socket
    socket.onopen = () => this.#opened(socket)
    socket.onmessage = message => this.#received(message.data)
    socket.onclose = () => this.#lost(socket)
  }

  close(): void {
    this.#become('closed')
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  #opened(socket: WebSocket): void {
    socket.send(JSON.stringify({ type: 'auth', session_api_key: this.#key }))
    const again = this.#wasOpen
    this.#wasOpen = true
    this.#attempt = 0
    this.#become('open')
    if (again) this.#listener.onReconnect()
  }

  #received(data: unknown): void {
    const frame = changeFrame.safeParse(parseJson(data))
    if (frame.success) this.#listener.onChange(frame.data)
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    if (this.#state === 'closed') return
    this.#become('lost')
    this.#timer = setTimeout(this.open, reconnectDelay(this.#attempt, Math.random()))
    this.#attempt += 1
  }

  #become(state: UpdatesState): void {
    if (this.#state === state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
