import type { PipedProcess, PipedRequest } from '../../domain/sandbox-handle.ts'
import { type ProcessPlace, startProcess } from './process.ts'

/** Starts a process whose input and outputs are pipes. Both outputs must be read, or it is held back. */
export async function openPiped(place: ProcessPlace, request: PipedRequest & { cwd: string }): Promise<PipedProcess> {
  const { argv, cwd, signal } = request
  signal?.throwIfAborted()
  const process = await startProcess(place, {
    argv,
    cwd,
    env: {},
    stdin: true,
    ...(signal && { signal }),
  })
  if (signal?.aborted) {
    await process.stop('TERM')
    signal.throwIfAborted()
  }
  const { stream } = process
  let stopped: Promise<void> | undefined
  return {
    stdout: stream.stdout,
    stderr: stream.stderr,
    write: data => stream.write(data),
    ended: stream.exitCode,
    close: () => {
      stopped ??= process.stop('TERM')
      return stopped
    },
  }
}
