import { readdirSync, readFileSync } from 'node:fs'

/** A process and all its descendants, which only Linux shows. */
export function treeOf(root: number): number[] {
  if (process.platform !== 'linux') return [root]
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
