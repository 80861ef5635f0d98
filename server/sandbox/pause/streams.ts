import { type Duplex, finished, type Readable } from 'node:stream'
import { type AppError, isAppError } from '../../domain/errors.ts'
import type { TerminalStream } from '../../domain/sandbox-handle.ts'
import type { IdlePausing } from './idle-pausing.ts'

type Idle = Pick<IdlePausing, 'use' | 'touch' | 'end'>

/** The sandbox is in use until the stream has ended, or could not be opened. */
export async function untilClosed<T>(
  open: () => Promise<T>,
  streamOf: (opened: T) => Readable | Duplex,
  release: () => void,
): Promise<T> {
  try {
    const opened = await open()
    finished(streamOf(opened), () => release())
    return opened
  } catch (error) {
    release()
    throw error
  }
}

/** An open terminal in which nothing happens does not keep a sandbox awake; typing into it, and closing it, wakes it. */
export function awakeTerminal(
  terminal: TerminalStream,
  { id, idle, signal }: { id: string; idle: Idle; signal: AbortSignal | undefined },
): TerminalStream {
  const close = () =>
    void idle.end(id, async () => {
      terminal.close()
      await terminal.ended
    })
  signal?.addEventListener('abort', close, { once: true })
  void terminal.ended.then(() => signal?.removeEventListener('abort', close))
  if (signal?.aborted) close()
  const listeners = new Set<(chunk: Buffer) => void>()
  let isRefused = false
  /** Whoever types sees why nothing happens, once. */
  const refuse = (error: AppError) => {
    if (!isRefused) for (const listener of listeners) listener(Buffer.from(`\r\n${error.message}\r\n`))
    isRefused = true
  }
  return {
    ...terminal,
    onData: listener => {
      const stop = terminal.onData(chunk => {
        idle.touch(id)
        listener(chunk)
      })
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
    write: async data => {
      const release = await idle.use(id).catch(unlessTooMany)
      // What was typed into one that rests would be done much later.
      if (isAppError(release)) return refuse(release)
      isRefused = false
      await terminal.write(data).finally(release)
    },
    close,
  }
}

/** What is gone takes no bytes, which is no error of whoever writes. */
function unlessTooMany(error: unknown): AppError | (() => void) {
  return isAppError(error, 'too_many_sandboxes') ? error : () => {}
}
