import { readdirSync, readFileSync } from 'node:fs'

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
  const rollups = ids.map(id => readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))
  return {
    residentMb: sumOf(rollups, 'Rss'),
    proportionalMb: sumOf(rollups, 'Pss'),
    processes: ids.length,
  }
}

export function treeOf(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = parentOf(name)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found = [root]
  for (const id of found) found.push(...(children.get(id) ?? []))
  return found
}

/** undefined for what is no process, or none any more. */
function parentOf(name: string): number | undefined {
  if (!/^\d+$/.test(name)) return undefined
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function sumOf(rollups: readonly string[], field: 'Rss' | 'Pss'): number {
  const pattern = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm')
  const kilobytes = rollups.map(text => Number(pattern.exec(text)?.[1] ?? 0))
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}
