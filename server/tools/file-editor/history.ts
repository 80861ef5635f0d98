import { BOUNDS } from '../../domain/bounds.ts'

const PER_FILE = 10

export interface Edit {
  before: Buffer
  after: Buffer
}

/** What the last edits replaced, per file. The oldest are forgotten first, also when all of them are too large or too many. */
export class EditHistory {
  readonly #edits: { path: string; edit: Edit }[] = []
  #bytes = 0

  add(path: string, edit: Edit): void {
    this.#edits.push({ path, edit })
    this.#bytes += sizeOf(edit)
    const ofFile = this.#edits.filter(entry => entry.path === path)
    if (ofFile.length > PER_FILE) this.#remove(this.#edits.findIndex(entry => entry.path === path))
    while (this.#isFull() && this.#edits.length > 1) this.#remove(0)
  }

  last(path: string): Edit | undefined {
    return this.#edits.findLast(entry => entry.path === path)?.edit
  }

  removeLast(path: string): void {
    this.#remove(this.#edits.findLastIndex(entry => entry.path === path))
  }

  #isFull(): boolean {
    return this.#bytes > BOUNDS.editHistoryBytes.limit || this.#edits.length > BOUNDS.editHistory.limit
  }

  #remove(index: number): void {
    const [removed] = index < 0 ? [] : this.#edits.splice(index, 1)
    if (removed) this.#bytes -= sizeOf(removed.edit)
  }
}

function sizeOf(edit: Edit): number {
  return edit.before.length + edit.after.length
}
