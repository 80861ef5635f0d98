/** What is being written before the caret, and can be completed. */
export interface Completion {
  /** `@` and part of a file's path, anywhere; or `/` and part of a command, where nothing else is written. */
  readonly kind: 'file' | 'command'
  /** Where it begins, with its sign. */
  readonly start: number
  /** What follows the sign. */
  readonly query: string
}

const COMMAND = /^\/([\w:.-]{0,100})$/
/** Not the at sign of an address of mail. */
const FILE = /(?:^|[\s([{,;])@([^\s@"]{0,200})$/

export function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret)
  const command = COMMAND.exec(before)?.[1]
  // It may take the place of all that is written.
  if (command !== undefined)
    return text.slice(caret).trim() !== '' ? null : { kind: 'command', start: 0, query: command }
  const file = FILE.exec(before)?.[1]
  return file === undefined ? null : { kind: 'file', start: caret - file.length - 1, query: file }
}

/** The text with the whole word in place of its part, and where the caret then stands: right behind a folder, whose entries come next. */
export function completed(text: string, { kind, start }: Completion, caret: number, word: string) {
  const after = text.slice(caret)
  if (kind === 'file' && word.endsWith('/'))
    return { text: `${text.slice(0, start)}${word}${after}`, caret: start + word.length }
  const space = /^\s/.test(after) ? '' : ' '
  return { text: `${text.slice(0, start)}${word}${space}${after}`, caret: start + word.length + 1 }
}

/** A file, or a folder with its slash, as a message names it; a path with blanks is one word in quotation marks. */
export function fileMention(path: string): string {
  return /[\s"]/.test(path) ? `@${JSON.stringify(path)}` : `@${path}`
}
