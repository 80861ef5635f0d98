import { readFileSync } from 'node:fs'
import { treeOf } from '../../parts/window/process-tree.ts'

export interface Memory {
  /** Pages that processes share are counted once for each: what task managers add up. */
  residentMb: number
  /** Shared pages are divided among those that share them: what would be free without the processes. */
  proportionalMb: number
  processes: number
}

/** What a process and all its descendants hold. Linux only. */
export function memoryOfTree(root: number): Memory {
  const ids = treeOf(root)
  const rollups = ids.flatMap(id => rollupOf(id) ?? [])
  return {
    residentMb: sumOf(rollups, 'Rss'),
    proportionalMb: sumOf(rollups, 'Pss'),
    processes: rollups.length,
  }
}

/** undefined for one that has ended meanwhile. */
function rollupOf(id: number): string | undefined {
  try {
    return readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')
  } catch {
    return undefined
  }
}

function sumOf(rollups: readonly string[], field: 'Rss' | 'Pss'): number {
  const pattern = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm')
  const kilobytes = rollups.map(text => Number(pattern.exec(text)?.[1] ?? 0))
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}
