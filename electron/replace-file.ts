import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file has its old content or its new one, whatever comes in between. @throws when the disk refuses */
export function replaceFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.partial`, content, { mode: 0o600 })
  renameSync(`${file}.partial`, file)
}
