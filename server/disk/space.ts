import { statfs } from 'node:fs/promises'
import type { DiskStatus } from '../api/v1/system/storage.ts'
import { messageOf } from '../domain/errors.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB

/** Below this SQLite cannot rely on being able to commit. */
const FULL_BYTES = MIB
const LOW_BYTES = GIB
const LOW_PART = 0.05
/** 5 % of a large disk is plenty. */
const MAX_LOW_BYTES = 20 * GIB

/** What a disk's free space means for the work. */
function stateOfDisk(free: number, total: number): DiskStatus['state'] {
  if (free < FULL_BYTES) return 'full'
  return free < Math.max(LOW_BYTES, Math.min(total * LOW_PART, MAX_LOW_BYTES)) ? 'low' : 'ok'
}

/** @returns null where the system does not tell */
export async function readDisk(path: string): Promise<DiskStatus | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(path)
    const free_bytes = bavail * bsize
    const total_bytes = blocks * bsize
    return { path, free_bytes, total_bytes, state: stateOfDisk(free_bytes, total_bytes) }
  } catch {
    return null
  }
}

/** Conversations that go on need some of the disk: what is copied there beside them is not to take the last of it. */
export function leavesRoom(disk: DiskStatus, bytes = 0): boolean {
  return disk.free_bytes - bytes >= LOW_BYTES
}

const CHECK_MS = 15_000
/** Whoever frees space looks at the window while they do it. */
const CHECK_WHILE_FULL_MS = 2_000

interface Dependencies {
  /** Whose disk it is, for the log. */
  name: string
  /** null while there is nothing to look at. */
  folder: () => string | null
  /** Told when the state has changed. */
  onChange: () => void
  log: { warn(fields: object, message: string): void; info(fields: object, message: string): void }
}

/** Looks at the disk of a folder again and again, and says when it takes something again. */
export class DiskWatch {
  readonly #dependencies: Dependencies
  readonly #relieved = new Set<() => void>()
  #status: DiskStatus | null = null
  /** Something was not stored since the last look. */
  #hasRefused = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async start(): Promise<void> {
    await this.check()
    this.#plan()
  }

  /** As it was when it was last looked at. */
  status(): DiskStatus | null {
    return this.#status
  }

  /** Called whenever a disk that was full, or refused something, has space again. Listeners must not throw. @returns how to stop */
  onSpace(listener: () => void): () => void {
    this.#relieved.add(listener)
    return () => this.#relieved.delete(listener)
  }

  /** It refused to store something; it may have been full for less than the time between two looks. */
  refused(): void {
    if (this.#hasRefused) return
    this.#hasRefused = true
    this.#plan()
  }

  /** Looks now. Never rejects. */
  async check(): Promise<DiskStatus | null> {
    const folder = this.#dependencies.folder()
    const before = this.#status?.state
    this.#status = folder === null ? null : await readDisk(folder)
    const now = this.#status?.state
    const wasFull = before === 'full' || this.#hasRefused
    this.#hasRefused = false
    if (this.#closed) return this.#status
    if (now !== before) this.#tellState(before)
    if (wasFull && now !== 'full') this.#tellSpace()
    return this.#status
  }

  #tellState(before: DiskStatus['state'] | undefined): void {
    const { name, onChange, log } = this.#dependencies
    const now = this.#status?.state
    if (now === 'low' || now === 'full') log.warn({ ...this.#status }, `The disk of ${name} is nearly full`)
    else if (before === 'low' || before === 'full') log.info({ ...this.#status }, `The disk of ${name} has space again`)
    onChange()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    const delay = this.#status?.state === 'full' || this.#hasRefused ? CHECK_WHILE_FULL_MS : CHECK_MS
    this.#timer = setTimeout(() => void this.check().then(() => this.#plan()), delay).unref()
  }

  #tellSpace(): void {
    for (const listener of [...this.#relieved]) {
      try {
        listener()
      } catch (error) {
        this.#dependencies.log.warn({ error: messageOf(error) }, 'What waited for space could not be done')
      }
    }
  }
}
