import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What is still to be deleted, each as a file of the data folder: it outlives a process that dies in between. The service
 * and the desktop app have one each, as neither can delete what the other has open.
 */
export class ErasureMark {
  readonly file: string

  constructor(dataDir: string, name: 'erasing' | 'erasing-window') {
    this.file = join(dataDir, name)
  }

  isSet(): boolean {
    return existsSync(this.file)
  }

  /** @throws when the disk refuses */
  set(): void {
    writeFileSync(this.file, '', { mode: 0o600 })
  }

  /** @throws when the disk refuses */
  remove(): void {
    rmSync(this.file, { force: true })
  }
}

/** The folder of the desktop app, which nothing else makes. */
export function windowFolder(dataDir: string): string {
  return join(dataDir, 'window')
}
