import type { DiskStatus } from '../../../server/api/v1/system/storage.ts'
import { formatBytes } from '../format.ts'
import { t } from './text.ts'

export interface DiskWarning {
  id: 'data low' | 'data full' | 'engine low' | 'engine full'
  tone: 'bad' | 'wait'
  what: string
  meaning: string
}

/** What to say of the disks; the data folder's comes first, which is often the engine's too. */
export function diskWarning(disk: DiskStatus | null, engineDisk: DiskStatus | null): DiskWarning | null {
  if (disk?.state === 'full') return { id: 'data full', tone: 'bad', what: t('diskIsFull'), meaning: FULL }
  if (disk?.state === 'low') {
    return { id: 'data low', tone: 'wait', what: t('diskIsAlmostFull', { left: left(disk) }), meaning: LOW }
  }
  if (engineDisk?.state === 'full') {
    return { id: 'engine full', tone: 'bad', what: t('engineDiskIsFull'), meaning: ENGINE_FULL }
  }
  if (engineDisk?.state === 'low') {
    const what = t('engineDiskIsAlmostFull', { left: left(engineDisk) })
    return { id: 'engine low', tone: 'wait', what, meaning: ENGINE_LOW }
  }
  return null
}

/** Whether both are known, and are one: then what is freed on the one is free on the other. */
export function isSameDisk(disk: DiskStatus | null, engineDisk: DiskStatus | null): boolean {
  return disk !== null && engineDisk !== null && disk.total_bytes === engineDisk.total_bytes
}

function left({ free_bytes }: DiskStatus): string {
  return t('freeSpace', { free: formatBytes(free_bytes) })
}

const FULL = t('agentsArePaused')
const LOW = t('ifItFillsUp')
const ENGINE_FULL = t('commandsThatWriteFiles')
const ENGINE_LOW = t('ifItFillsUpCommands')
