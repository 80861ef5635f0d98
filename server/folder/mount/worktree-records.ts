import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type MadeWorktree, removeWorktree } from './worktree.ts'

const recorded = z.object({
  path: z.string(),
  own: z.string(),
  branch: z.string(),
  repository: z.object({ gitDir: z.string(), common: z.string(), head: z.string().nullable() }),
})

/** Worktrees of starts that go on, in the data folder: a process that dies leaves them to the next one. */
export class WorktreeRecords {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'folders', '.worktrees')
  }

  async remember(conversation: string, made: MadeWorktree): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeFile(this.#file(conversation), JSON.stringify(recorded.parse(made)), { mode: 0o600 })
  }

  async forget(conversation: string): Promise<void> {
    await rm(this.#file(conversation), { force: true })
  }

  /** Removes the worktree of a start that came to no conversation, with its branch. Never rejects. */
  async removeLeft(conversation: string): Promise<void> {
    try {
      const found = await readFile(this.#file(conversation), 'utf8').catch(() => null)
      if (found === null) return
      await removeWorktree(recorded.parse(JSON.parse(found)))
      await this.forget(conversation)
    } catch {
      // What cannot be read names nothing that could be removed.
    }
  }

  #file(conversation: string): string {
    return join(this.#folder, `${conversation}.json`)
  }
}
