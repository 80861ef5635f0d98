import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** Takes all the space that is left, and keeps it. */
  fill(): void
  free(): void
  remove(): void
}

/** A file system of its own in memory, in a folder of its own or at the place that is given. Only root may mount one, as in CI. */
export function smallDisk(megabytes: number, place?: string): SmallDisk {
  const folder = place ?? mkdtempSync(join(tmpdir(), 'atelier-small-disk-'))
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => {
      for (const block of ['64k', '1k']) {
        try {
          execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, `bs=${block}`, 'oflag=append', 'conv=notrunc'], {
            stdio: 'ignore',
          })
        } catch {
          // dd ends with an error when the disk is full, which is what it is for.
        }
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
