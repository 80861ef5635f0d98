import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A small file system that can be filled. */
export interface Disk {
  folder: string
  fill(): void
  free(): void
}

const MEGABYTES = 192

/** Needs root, and is gone with the mount namespace. */
export function mountDisk(folder: string): Disk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0700`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return { folder, fill: () => fill(filler), free: () => rmSync(filler, { force: true }) }
}

/** Down to the last byte: pieces get smaller when no large one fits any more. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (let size = 1 << 20; size >= 1; size = size >> 4) {
      const piece = Buffer.alloc(size)
      while (written(descriptor, piece));
    }
  } finally {
    closeSync(descriptor)
  }
}

function written(descriptor: number, piece: Buffer): boolean {
  try {
    return writeSync(descriptor, piece) === piece.length
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}
