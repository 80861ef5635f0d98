import { readFileSync } from 'node:fs'
import { treeOf } from '../../parts/window/process-tree.ts'

/** What the kernel counts processor time in: `getconf CLK_TCK`, which is 100 on every Linux of today. */
const TICK_MS = 10

/** Milliseconds that a process and all its descendants have been on processors so far. Linux only. */
export function processorMsOfTree(root: number): number {
  return treeOf(root).reduce((sum, id) => sum + ticksOf(id) * TICK_MS, 0)
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: fields 14 and 15, after a name that may have spaces and brackets. */
function ticksOf(id: number): number {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
