import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The id that labels the sandboxes of this data folder, stored beside the database too: without it a lost database would
 * hide them.
 */
export function readInstanceFile(file: string): string | null {
  try {
    const text = readFileSync(pathOf(file), 'utf8').trim()
    return /^[\w-]{8,64}$/.test(text) ? text : null
  } catch {
    return null
  }
}

/** Not being able to write it is no reason not to start. */
export function writeInstanceFile(file: string, id: string): void {
  if (readInstanceFile(file) === id) return
  try {
    writeFileSync(pathOf(file), `${id}\n`, { mode: 0o600 })
  } catch {
    // Written at the next start.
  }
}

const pathOf = (file: string): string => join(dirname(file), 'instance')
