import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { messageOf } from './domain/errors.ts'
import { serveHeadless } from './headless.ts'
import { restoreFromCommandLine } from './restore.ts'
import { forkKeychainProcess } from './secret/keychain/child-port.ts'

/** The headless service as a program of its own, which also brings back backups. */
async function main(): Promise<void> {
  const [command, backup] = process.argv.slice(2)
  if (command === 'restore') return restoreFromCommandLine(readConfig(process.env).dataDir, backup)
  const out = join(import.meta.dirname, '..')
  await serveHeadless({
    out,
    version: readVersion(join(out, '..', 'package.json')),
    startKeychainProcess: () => forkKeychainProcess(join(import.meta.dirname, 'keychain-process.js')),
  })
}

function readVersion(file: string): string {
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined
  return typeof version === 'string' ? version : '0.0.0'
}

main().catch(error => {
  process.stderr.write(`Atelier could not start. ${messageOf(error)}\n`)
  process.exitCode = 1
  process.exit()
})
