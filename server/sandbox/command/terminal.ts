import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TerminalRequest, TerminalStream } from '../../domain/sandbox-handle.ts'
import { type ProcessPlace, startProcess } from './process.ts'

/** Opens a process on a pseudo terminal; the signal gives that up. It ends with `close`, or by itself. */
export async function openTerminal(
  place: ProcessPlace,
  request: TerminalRequest & { cwd: string },
): Promise<TerminalStream> {
  const { signal, cols, rows } = request
  signal?.throwIfAborted()
  const process = await startProcess(place, {
    argv: request.argv,
    cwd: request.cwd,
    env: request.env ?? {},
    stdin: true,
    tty: { cols, rows },
    ...(signal && { signal }),
  })
  const { stream } = process
  let closed = false
  const close = () => {
    if (!closed) void process.stop('HUP')
    closed = true
  }
  // Engines before API 1.42 take no size when they start a process.
  const sized = stream.resize(cols, rows).catch(() => {})
  const ended = stream.exitCode.then(async exitCode => {
    // Whoever listens as soon as the terminal is open has heard everything before the end.
    await sized
    await nextTurn()
    if (stream.stdout.listenerCount('data') > 0) await finished(stream.stdout, { writable: false }).catch(() => {})
    return exitCode
  })
  await sized
  return {
    pid: process.pid,
    onData: listener => {
      // Nothing is lost before the first listener: until then the stream does not flow.
      stream.stdout.on('data', listener)
      return () => stream.stdout.off('data', listener)
    },
    pause: () => void stream.stdout.pause(),
    resume: () => void stream.stdout.resume(),
    write: data => stream.write(data),
    resize: (newCols, newRows) => stream.resize(newCols, newRows),
    ended,
    close,
  }
}
