import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Event } from '../../server/api/event/events.ts'
import type { ServiceProcess } from './service.ts'

const CONVERSATION_UNKNOWN = 4004

/** A subscriber of one conversation that comes back after every loss, and remembers all that it was told. */
export class Recorder {
  readonly #service: ServiceProcess
  readonly #id: string
  readonly #waiting = new Set<() => void>()
  #socket: WebSocket | undefined
  #closed = false
  /** Stored events in the order in which they came. */
  readonly events: Event[] = []
  /** What must never happen: an event that was left out, came twice or came in the wrong place. */
  readonly problems: string[] = []

  constructor(service: ServiceProcess, id: string) {
    this.#service = service
    this.#id = id
    void this.#keepConnected()
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Resolves with the next event, or after so many milliseconds without one. */
  async changed(patienceMs: number): Promise<void> {
    await new Promise<void>(resolve => {
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, patienceMs)
      this.#waiting.add(end)
    })
  }

  close(): void {
    this.#closed = true
    this.#socket?.terminate()
    for (const end of [...this.#waiting]) end()
  }

  async #keepConnected(): Promise<void> {
    while (!this.#closed) {
      const code = await this.#connect().catch(() => undefined)
      if (code === CONVERSATION_UNKNOWN && this.events.length > 0 && !this.#closed)
        this.problems.push('A conversation that had been followed was called unknown.')
      await delay(50)
    }
  }

  async #connect(): Promise<number> {
    const { url, key } = this.#service.now
    const address = `${url.replace('http', 'ws')}/sockets/events/${this.#id}?after_seq=${this.events.length - 1}`
    const socket = new WebSocket(address, { headers: { 'X-Session-API-Key': key }, handshakeTimeout: 5000 })
    this.#socket = socket
    socket.on('message', data => this.#take(JSON.parse(String(data))))
    socket.on('error', () => {})
    return new Promise(resolve => socket.once('close', resolve))
  }

  #take(frame: Event | { kind: string }): void {
    if (!('seq' in frame)) return
    if (frame.seq === this.events.length) this.events.push(frame)
    else this.problems.push(`Event ${frame.seq} (${frame.kind}) came where ${this.events.length} was due.`)
    for (const end of [...this.#waiting]) end()
  }
}
