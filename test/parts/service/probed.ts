import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectFolder } from '../project-folder.ts'
import { type Headless, startHeadless } from './headless.ts'

/** What the service says of itself: times in milliseconds, sizes in bytes; descriptors null where they cannot be counted. */
export interface ProcessSample {
  at: number
  rss: number
  heapUsed: number
  external: number
  descriptors: number | null
  delay: { p50: number; p99: number; p999: number; max: number }
}

export interface ProbedService {
  service: Headless
  /** The newest sample, at most about a second old. */
  sample(): ProcessSample | null
}

/** Found from bundled programs as from here. */
const PROBE = pathToFileURL(join(projectFolder, 'test/parts/service/process-probe.mjs')).href

/** The headless service with a probe inside. @param folder that is there, for the probe's file and the data */
export async function startProbedService(folder: string, env: Record<string, string>): Promise<ProbedService> {
  const file = join(folder, 'probe.json')
  const service = await startHeadless({
    dataDir: join(folder, 'data'),
    env: {
      ...env,
      ATELIER_TEST_PROBE: file,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PROBE}`,
    },
  })
  return { service, sample: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null) }
}
