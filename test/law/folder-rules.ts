/** What folders keep to: few files side by side, names that say no more than is needed, and imports in one direction. */

/** From the project's root, with slashes. */
export type FilePath = string

/** An import of one file by another. */
export interface ImportEdge {
  from: FilePath
  to: FilePath
}

const MAX_FILES = 22

/** @returns each folder that holds more files than a person takes in at a glance, with their number */
export function crowded(files: readonly FilePath[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count}`)
}

/** @returns each file whose name begins with the name of its folder, as `settings/settings-form.ts` */
export function repetitive(files: readonly FilePath[]): FilePath[] {
  return files.filter(file => {
    const folder = folderOf(file)
    return file.slice(folder.length + 1).startsWith(`${folder.slice(folder.lastIndexOf('/') + 1)}-`)
  })
}

/**
 * Rooms are the folders directly in server/; a file directly in it is a room of its own.
 * @returns each set of rooms that reach each other in a circle, with the imports between them
 */
export function knots(edges: readonly ImportEdge[]): string[] {
  const reaches = new Map<string, Set<string>>()
  for (const { from, to } of edges) {
    const [a, b] = [roomOf(from), roomOf(to)]
    if (a !== b) reaches.set(a, (reaches.get(a) ?? new Set()).add(b))
  }
  const reachable = new Map([...reaches.keys()].map(room => [room, allFrom(room, reaches)]))
  return edges
    .filter(({ from, to }) => roomOf(from) !== roomOf(to) && reachable.get(roomOf(to))?.has(roomOf(from)))
    .map(({ from, to }) => `${from} → ${to}`)
}

/** Adapters translate between the product and a protocol: only what puts the service together, and HTTP, knows them. */
const ADAPTERS: Record<string, RegExp> = {
  http: /^server\/(http|composition)\//,
  legacy: /^server\/(legacy|http|composition)\//,
  'agent-server': /^server\/(agent-server|http|composition)\//,
  composition: /^(server\/(composition\/|[\w-]+\.ts$)|electron\/)/,
}

/** @returns each import of an adapter by somebody who is not to know it */
export function reachedAdapters(edges: readonly ImportEdge[]): string[] {
  return edges
    .filter(({ from, to }) => ADAPTERS[roomOf(to)]?.test(from) === false)
    .map(({ from, to }) => `${from} → ${to}`)
}

function allFrom(room: string, reaches: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>()
  const open = [room]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of reaches.get(next) ?? []) {
      if (seen.has(other)) continue
      seen.add(other)
      open.push(other)
    }
  }
  return seen
}

function roomOf(file: FilePath): string {
  return file.split('/')[1] ?? ''
}

function folderOf(file: FilePath): string {
  return file.slice(0, file.lastIndexOf('/'))
}
