import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from './domain/errors.ts'
import type { Log } from './log.ts'

const discovery = z.object({
  url: z.url(),
  gateway_url: z.url(),
  pid: z.int().positive(),
  version: z.string(),
})
/** What the file holds: never a key. */
export type Discovery = z.output<typeof discovery>

const NAME = 'server.json'

/** Lets other tools on this machine find the API. Holds no key. A disk that takes nothing is no reason not to start. @returns what removes it */
export function writeDiscoveryFile(service: {
  dataDir: string
  url: string
  gatewayUrl: string
  version: string
  log: Log
}): () => void {
  const { dataDir, url, gatewayUrl, version, log } = service
  const file = join(dataDir, NAME)
  const content: Discovery = { url, gateway_url: gatewayUrl, pid: process.pid, version }
  try {
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'Other tools cannot find the service: server.json could not be written')
  }
  return () => rmSync(file, { force: true })
}

/**
 * The service of a data folder, if one runs. A file that a crash has left behind names a process that has ended: its
 * address may be another program's by now, which must not get a key.
 */
export function readDiscoveryFile(dataDir: string): Discovery | undefined {
  try {
    const found = discovery.safeParse(JSON.parse(readFileSync(join(dataDir, NAME), 'utf8'))).data
    return found && isRunning(found.pid) ? found : undefined
  } catch {
    return undefined
  }
}

/** Whether a process has not ended. One that has ended and whose parent has not asked how (a zombie) still takes signals. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(pid)
}

/** proc_pid_stat(5): the state follows the name, which stands in brackets and may hold brackets itself. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') ?? false
  } catch {
    return false
  }
}
