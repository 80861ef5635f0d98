import type { DiskStatus } from '../../../server/api/v1/system/storage.ts'
import { formatBytes } from '../format.ts'

export interface DiskWarning {
  id: 'data low' | 'data full' | 'engine low' | 'engine full'
  tone: 'bad' | 'wait'
  what: string
  meaning: string
}

/** What to say of the disks; the data folder's comes first, which is often the engine's too. */
export function diskWarning(disk: DiskStatus | null, engineDisk: DiskStatus | null): DiskWarning | null {
  if (disk?.state === 'full') return { id: 'data full', tone: 'bad', what: 'The disk is full.', meaning: FULL }
  if (disk?.state === 'low') {
    return { id: 'data low', tone: 'wait', what: `The disk is almost full: ${left(disk)}.`, meaning: LOW }
  }
  if (engineDisk?.state === 'full') {
    return { id: 'engine full', tone: 'bad', what: 'The disk of the Docker engine is full.', meaning: ENGINE_FULL }
  }
  if (engineDisk?.state === 'low') {
    const what = `The disk of the Docker engine is almost full: ${left(engineDisk)}.`
    return { id: 'engine low', tone: 'wait', what, meaning: ENGINE_LOW }
  }
  return null
}

/** Whether both are told, and are one: then what is freed on the one is free on the other. */
export function isSameDisk(disk: DiskStatus | null, engineDisk: DiskStatus | null): boolean {
  return disk !== null && engineDisk !== null && disk.total_bytes === engineDisk.total_bytes
}

function left({ free_bytes }: DiskStatus): string {
  return `${formatBytes(free_bytes)} free`
}

const FULL =
  'Agents are paused, and nothing new can be stored. Everything stored so far is safe. Agents continue by themselves once there is space.'
const LOW = 'If it fills up, agents pause, and continue by themselves once there is space. Nothing stored is lost.'
const ENGINE_FULL =
  'Commands that write files in sandboxes fail until there is space. Conversations are stored as usual.'
const ENGINE_LOW = 'If it fills up, commands that write files in sandboxes fail.'
