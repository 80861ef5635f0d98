import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Says that the person has allowed the command line to read the key of the API from the keychain. It holds no key. */
const NAME = 'command-line-allowed'

export function isAllowed(dataDir: string): boolean {
  return existsSync(join(dataDir, NAME))
}

export function allow(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, NAME), 'atelier login\n', { mode: 0o600 })
}

export function disallow(dataDir: string): void {
  rmSync(join(dataDir, NAME), { force: true })
}
