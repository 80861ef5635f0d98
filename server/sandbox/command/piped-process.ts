import type { Engine } from '../../docker/engine.ts'
import type { PipedProcess, PipedRequest } from '../../domain/sandbox-handle.ts'
import { startProcess } from './process.ts'

/** Starts a process whose input and outputs are pipes. Both outputs must be read, or it is held back. */
export async function openPiped(
  engine: Engine,
  containerId: string,
  request: PipedRequest & { cwd: string },
): Promise<PipedProcess> {
  const { argv, cwd, signal } = request
  signal?.throwIfAborted()
  const process = await startProcess(engine, containerId, {
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
