import type { DiskStatus } from '../api/v1/system/storage.ts'
import { readDisk } from '../disk/space.ts'
import { type Check, type Found, factsOf } from './check.ts'
import { restrictFolder } from './repairs.ts'

export interface DiskOptions {
  folder: string
  /** Paths of it that other users can reach. */
  openToOthers(): readonly string[]
}

export const diskCheck =
  ({ folder, openToOthers }: DiskOptions): Check =>
  async () => {
    const found = diskFinding(await readDisk(folder), folder)
    return found.state === 'ok' && openToOthers().length > 0
      ? { ...found, state: 'warning', finding: 'data_folder_open', steps: restrictFolder(folder, process.platform) }
      : found
  }

/** @param folder null where it is on no disk of this machine */
export const engineDiskCheck =
  (folder: () => Promise<string | null>): Check =>
  async () => {
    const path = await folder()
    return path === null ? { state: 'skipped', finding: 'disk_elsewhere' } : diskFinding(await readDisk(path), path)
  }

const DISK: Readonly<Record<DiskStatus['state'], Found>> = {
  ok: { state: 'ok', finding: 'disk_free' },
  low: { state: 'warning', finding: 'disk_low', action: 'free_space' },
  full: { state: 'problem', finding: 'disk_full', action: 'free_space' },
}

function diskFinding(disk: DiskStatus | null, folder: string): Found {
  if (!disk) return { state: 'unknown', finding: 'disk_unknown', facts: factsOf({ folder }) }
  return { ...DISK[disk.state], facts: factsOf({ folder, free: disk.free_bytes, total: disk.total_bytes }) }
}
