import { Semaphore } from '../async/semaphore.ts'
import type { EngineUsage, UsageOptions } from '../docker/usage.ts'
import type { Containers } from './containers.ts'
import type { CommandPlace, Commands } from './exec/commands.ts'
import { MAIN } from './pod.ts'

const LIMIT_MS = 10_000
/** Each is a connection to the API server, and work for a disk. */
const MEASURED_AT_ONCE = 8
const NEVER = new AbortController().signal

/** What sandboxes have in their folders, of those that run: of others it cannot be said. */
export async function diskUsage(
  { containers, commands }: { containers: Containers; commands: Commands },
  labels: Record<string, string>,
  { signal = NEVER, isMeasured = true }: UsageOptions = {},
): Promise<EngineUsage> {
  const turns = new Semaphore(() => MEASURED_AT_ONCE)
  const found = [...(await containers.list(labels)).values()]
  const measured = found.map(async each => {
    const { state, request } = containers.known(each)
    if (!state) return []
    const { id, name, status } = state
    const path = request?.workingDir
    if (!isMeasured || status !== 'running' || path === undefined) return [{ name, bytes: 0 }]
    const measuring = () => measure(commands, { id, container: MAIN }, { path, signal })
    return [{ name, bytes: await turns.run(measuring, () => {}, signal).catch(() => 0) }]
  })
  const all = (await Promise.all(measured)).flat()
  signal.throwIfAborted()
  return { containers: all, images: [], volumes: [] }
}

/** What is in a folder of a container that runs, as far as its user may look. */
export async function measure(
  commands: Commands,
  place: CommandPlace,
  { path, signal = NEVER }: { path: string; signal?: AbortSignal | undefined },
): Promise<number> {
  const argv = ['/bin/sh', '-c', 'du -sxk -- "$1" 2>/dev/null', 'sh', path]
  const { stdout } = await commands.runWithin(LIMIT_MS, place, { argv, cwd: '/', signal })
  return (Number.parseInt(stdout, 10) || 0) * 1024
}
