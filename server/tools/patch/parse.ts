import { BOUNDS } from '../../domain/bounds.ts'
import { Problem } from '../file-editor/problem.ts'

interface PatchLine {
  kind: 'keep' | 'remove' | 'add'
  text: string
}

export interface Hunk {
  /** Lines of the file, in their order, at or after which the hunk stands: what follows `@@`. */
  anchors: string[]
  lines: PatchLine[]
  /** The hunk reaches to the last line of the file. */
  atEnd: boolean
}

export type FilePatch =
  | { kind: 'add'; path: string; content: string }
  | { kind: 'delete'; path: string }
  | { kind: 'update'; path: string; moveTo: string | undefined; hunks: Hunk[] }

const BEGIN = '*** Begin Patch'
const END = '*** End Patch'
const END_OF_FILE = '*** End of File'
const HEADER = /^\*\*\* (Add|Update|Delete) File: ?(.*)$/
const MOVE = /^\*\*\* Move to: ?(.*)$/
const UNIFIED_RANGE = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/

/** Reads the `*** Begin Patch` format. @throws Problem that names the line of the patch */
export function parsePatch(source: string): FilePatch[] {
  const lines = source.replaceAll('\r\n', '\n').split('\n')
  const begin = lines.findIndex(line => line.trim() === BEGIN)
  if (begin < 0) {
    const unified = lines.some(line => line.startsWith('--- ')) && lines.some(line => line.startsWith('+++ '))
    const hint = unified ? ' This looks like a unified diff: use `patch` or `git apply` in the terminal for that.' : ''
    throw new Problem(`The patch must begin with \`${BEGIN}\`.${hint}`)
  }
  const end = lines.findIndex((line, index) => index > begin && line.trim() === END)
  if (end < 0) {
    throw new Problem(
      `The patch has no \`${END}\`: it may have been cut off. Nothing was changed. Send the whole patch.`,
    )
  }
  return new Reader(lines.slice(0, end), begin + 1).files()
}

class Reader {
  readonly #lines: readonly string[]
  /** Whether each line, and all that follow it up to the next file, are empty. */
  readonly #blankUntilHeader: readonly boolean[]
  #at: number

  constructor(lines: readonly string[], at: number) {
    this.#lines = lines
    this.#blankUntilHeader = blankUntilHeader(lines)
    this.#at = at
  }

  files(): FilePatch[] {
    const files: FilePatch[] = []
    while (this.#at < this.#lines.length) {
      const header = HEADER.exec(this.#line)
      if (header) files.push(this.#file(header[1] ?? '', (header[2] ?? '').trim()))
      else if (this.#line.trim() === '') this.#at++
      else throw this.#unexpected('Expected `*** Add File: `, `*** Update File: ` or `*** Delete File: `.')
    }
    if (files.length === 0) throw new Problem('The patch is empty: it names no file.')
    if (files.length > BOUNDS.patchedFiles.limit) {
      throw new Problem(
        `The patch names more than ${BOUNDS.patchedFiles.limit} files. Nothing was changed. Send it in several patches.`,
      )
    }
    return files
  }

  get #line(): string {
    return this.#lines[this.#at] ?? ''
  }

  /** Nothing more belongs to this file. */
  get #over(): boolean {
    return this.#at >= this.#lines.length || HEADER.test(this.#line)
  }

  #file(kind: string, path: string): FilePatch {
    if (path === '') throw this.#unexpected('The path is missing.')
    this.#at++
    if (kind === 'Add') return { kind: 'add', path, content: this.#content() }
    if (kind === 'Delete') return { kind: 'delete', path }
    const moveTo = MOVE.exec(this.#line)?.[1]?.trim()
    if (moveTo !== undefined) this.#at++
    const hunks: Hunk[] = []
    while (!this.#over) hunks.push(this.#hunk())
    const changes = hunks.filter(hunk => hunk.lines.length > 0)
    if (changes.length === 0 && moveTo === undefined) throw new Problem(`The patch changes nothing in ${path}.`)
    return { kind: 'update', path, moveTo, hunks: changes }
  }

  #content(): string {
    const content: string[] = []
    while (!this.#over) {
      if (this.#line.startsWith('+')) content.push(this.#line.slice(1))
      else if (this.#line.trim() !== '' || !this.#onlyBlankUntilHeader()) {
        throw this.#unexpected('Every line of a new file begins with `+`.')
      }
      this.#at++
    }
    return content.map(line => `${line}\n`).join('')
  }

  #hunk(): Hunk {
    const anchors: string[] = []
    while (!this.#over && this.#line.startsWith('@@')) {
      const anchor = this.#line.slice(2).trim().replace(UNIFIED_RANGE, '')
      if (anchor !== '') anchors.push(anchor)
      this.#at++
    }
    const lines: PatchLine[] = []
    while (!this.#over && !this.#line.startsWith('@@') && this.#line.trim() !== END_OF_FILE) {
      if (this.#line === '' && this.#onlyBlankUntilHeader()) this.#at++
      else lines.push(this.#change())
    }
    const atEnd = !this.#over && this.#line.trim() === END_OF_FILE
    if (atEnd) this.#at++
    return { anchors, lines, atEnd }
  }

  #change(): PatchLine {
    const line = this.#line
    const kinds = { ' ': 'keep', '-': 'remove', '+': 'add' } as const
    const [sign = ' '] = line
    if (sign !== ' ' && sign !== '-' && sign !== '+') {
      throw this.#unexpected(
        'In a change, each line begins with a blank (as it is), `-` (removed) or `+` (added). Nothing was changed.',
      )
    }
    this.#at++
    return { kind: kinds[sign], text: line.slice(1) }
  }

  /** Empty lines before the next file are there for the eye. */
  #onlyBlankUntilHeader(): boolean {
    return this.#blankUntilHeader[this.#at] ?? true
  }

  #unexpected(expected: string): Problem {
    return new Problem(`Line ${this.#at + 1} of the patch cannot be read: \`${this.#line.slice(0, 200)}\`. ${expected}`)
  }
}

function blankUntilHeader(lines: readonly string[]): boolean[] {
  const blank = new Array<boolean>(lines.length)
  for (let at = lines.length - 1, next = true; at >= 0; at--) {
    const line = lines[at] ?? ''
    next = HEADER.test(line) || (next && line.trim() === '')
    blank[at] = next
  }
  return blank
}
