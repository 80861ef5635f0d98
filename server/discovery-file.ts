import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lets other tools on this machine find the API. Holds no key. @returns what removes it */
export function writeDiscoveryFile(service: {
  dataDir: string
  url: string
  gatewayUrl: string
  version: string
}): () => void {
  const { dataDir, url, gatewayUrl, version } = service
  const file = join(dataDir, 'server.json')
  const content = { url, gateway_url: gatewayUrl, pid: process.pid, version }
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  return () => rmSync(file, { force: true })
}
