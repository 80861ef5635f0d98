import { once } from 'node:events'
import { WebSocket } from 'ws'
import {
  type TerminalClientFrame,
  type TerminalFrame,
  terminalFrame,
} from '../../../server/api/v1/sandbox/terminal-frames.ts'

/** One who shows a terminal over its socket. */
export interface ShownTerminal {
  readonly frames: readonly TerminalFrame[]
  /** The newest bytes since the last screen began. */
  text(): string
  /** How many bytes came in all. */
  received(): number
  say(frame: TerminalClientFrame): void
  /** Gives the shell of an agent a command. */
  run(command: string): void
  type(text: string | Buffer): void
  /** Resolves when so many bytes have come in all. */
  reaches(bytes: number): Promise<void>
  /** Resolves when `text()` has it. */
  shows(wanted: string | RegExp): Promise<void>
  until(what: (frame: TerminalFrame) => boolean): Promise<TerminalFrame>
  /** The code that the socket was closed with. */
  readonly closed: Promise<number>
  close(): void
}

/** Programs write more than a test looks at. */
const KEPT_BYTES = 64 * 1024
/** As a window does. */
const SAID_BYTES = 192 * 1024
const SAID_MS = 50

/**
 * @param id of the terminal, or of the conversation whose agent's shell it is
 * @param options.reads whether it says that it has shown what comes, as a window does
 */
export async function showTerminal(
  url: string,
  key: string,
  id: string,
  { reads = true, of = 'terminals' }: { reads?: boolean; of?: 'terminals' | 'agent-shells' } = {},
): Promise<ShownTerminal> {
  const headers = { 'X-Session-API-Key': key }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/sockets/${of}/${id}`, { headers })
  const frames: TerminalFrame[] = []
  const watchers = new Set<() => void>()
  let shown: Buffer = Buffer.alloc(0)
  let received = 0
  let unsaid = 0
  let timer: NodeJS.Timeout | undefined
  const say = () => {
    clearTimeout(timer)
    timer = undefined
    if (reads && socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type: 'shown', bytes: unsaid }))
    unsaid = 0
  }
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      received += data.length
      shown = Buffer.concat([shown, data]).subarray(-KEPT_BYTES)
      unsaid += data.length
      if (unsaid >= SAID_BYTES) say()
      else timer ??= setTimeout(say, SAID_MS)
    } else {
      const frame = terminalFrame.parse(JSON.parse(String(data)))
      if (frame.type === 'screen') shown = Buffer.alloc(0)
      frames.push(frame)
    }
    for (const watcher of watchers) watcher()
  })
  await Promise.race([once(socket, 'open'), closed])
  const text = () => shown.toString()
  const until = <Found>(look: () => Found | undefined) =>
    new Promise<Found>((resolve, reject) => {
      const watcher = () => {
        const found = look()
        if (found === undefined) return
        watchers.delete(watcher)
        resolve(found)
      }
      watchers.add(watcher)
      void closed.then(code => reject(new Error(`The socket was closed with ${code}: ${text().slice(-500)}`)))
      watcher()
    })
  return {
    frames,
    text,
    received: () => received,
    say: frame => socket.send(JSON.stringify(frame)),
    run: command => socket.send(JSON.stringify({ type: 'run', command })),
    type: typed => socket.send(Buffer.from(typed), { binary: true }),
    reaches: async bytes => {
      await until(() => received >= bytes || undefined)
    },
    shows: async wanted => {
      const isIn = (all: string) => (typeof wanted === 'string' ? all.includes(wanted) : wanted.test(all))
      await until(() => isIn(text()) || undefined)
    },
    until: what => until(() => frames.find(what)),
    closed,
    close: () => socket.terminate(),
  }
}
