import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { projectFolder } from '../../parts/project-folder.ts'

/** What the model calls, one after the other; then it finishes. `thinkMs` is how long it takes for each answer. */
export interface Script {
  calls: { name: string; arguments: string }[]
  thinkMs: number
}

export interface InstantModel {
  url: string
  /** Milliseconds between each answer and the next request; the script begins anew. */
  pauses(script: string): Promise<number[]>
  close(): Promise<unknown>
}

/** Models that cost the service's process no time: they live in a thread of their own. The name of one is its script's. */
export async function startInstantModel(scripts: Record<string, Script>): Promise<InstantModel> {
  const worker = new Worker(join(projectFolder, 'test/bench/process/instant-model.mjs'), {
    workerData: { scripts },
  })
  const [port] = await once(worker, 'message')
  return {
    url: `http://127.0.0.1:${port}/v1`,
    pauses: async script => {
      worker.postMessage(script)
      const [pauses] = await once(worker, 'message')
      return pauses
    },
    close: () => worker.terminate(),
  }
}
