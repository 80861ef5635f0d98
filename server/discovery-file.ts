import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from './errors.ts'
import type { Log } from './log.ts'

/** Lets other tools on this machine find the API. Holds no key. A disk that takes nothing is no reason not to start. @returns what removes it */
export function writeDiscoveryFile(service: {
  dataDir: string
  url: string
  gatewayUrl: string
  version: string
  log: Log
}): () => void {
  const { dataDir, url, gatewayUrl, version, log } = service
  const file = join(dataDir, 'server.json')
  const content = { url, gateway_url: gatewayUrl, pid: process.pid, version }
  try {
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'Other tools cannot find the service: server.json could not be written')
  }
  return () => rmSync(file, { force: true })
}
