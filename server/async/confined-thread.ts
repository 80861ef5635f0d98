import { Worker, type WorkerOptions } from 'node:worker_threads'

interface Options extends Pick<WorkerOptions, 'workerData' | 'transferList'> {
  memoryBytes: number
  /** What short-lived values may take of it. */
  youngMegabytes?: number
}

/** A thread of bundled code (`*.ts?thread`) with its own bound on memory, that sees nothing of the process's environment and arguments. */
export function startConfinedThread(code: string, { memoryBytes, youngMegabytes, ...data }: Options): Worker {
  return new Worker(code, {
    ...data,
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: memoryBytes / 2 ** 20,
      ...(youngMegabytes !== undefined && { maxYoungGenerationSizeMb: youngMegabytes }),
    },
  })
}
