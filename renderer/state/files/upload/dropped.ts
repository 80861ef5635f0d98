/** A file with its path below the folder that it is put into. */
export interface Dropped {
  path: string
  file: File
}

export interface Found {
  files: Dropped[]
  /** Paths of what could not be read, such as links that lead nowhere. */
  unreadable: string[]
}

/** To be called while the drop is handled: its items are gone afterwards. */
export function droppedEntries({ items }: DataTransfer): FileSystemEntry[] {
  return [...items].map(item => item.webkitGetAsEntry()).filter(entry => entry !== null)
}

/** A folder may hold many thousands. */
const REPORT_MS = 100

/** All files of the entries and of the folders among them; how many there are by now is said now and then. @throws the reason of the signal */
export async function filesIn(
  entries: readonly FileSystemEntry[],
  { signal, onFound }: { signal: AbortSignal; onFound: (files: number) => void },
): Promise<Found> {
  const found: Found = { files: [], unreadable: [] }
  const waiting = [...entries].reverse()
  let reportedAt = Number.NEGATIVE_INFINITY
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    signal.throwIfAborted()
    const path = entry.fullPath.replace(/^\//, '')
    try {
      if (entry.isDirectory) waiting.push(...(await entriesOf(entry as FileSystemDirectoryEntry)).reverse())
      else found.files.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
    } catch {
      found.unreadable.push(path)
    }
    if (performance.now() - reportedAt < REPORT_MS) continue
    reportedAt = performance.now()
    onFound(found.files.length)
  }
  onFound(found.files.length)
  return found
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  // They come in parts, the last of which is empty.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}
