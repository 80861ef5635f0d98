import type { Action } from '../../api/event/actions.ts'
import type { Content } from '../../api/event/content.ts'
import type { Observation } from '../../api/event/observations.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { clipMiddle } from '../../text/clip.ts'
import { type ToolHost, text } from '../tool.ts'
import { decode, encode, type TextFile } from './encoding.ts'
import type { EditHistory } from './history.ts'
import { imageType } from './images.ts'
import { countLines, lineAt, lineEnd, linesBetween, numbered, startOfLine, withLineEnd } from './lines.ts'
import { checkPath, missingFile } from './path.ts'
import { invalidParameter, messageForModel, missingParameter, Problem, quoted } from './problem.ts'
import { replaceOnce } from './replace.ts'
import { megabytes, notText, VIEW_CHARS, viewFolder, viewImage, viewText } from './view.ts'

export type FileEditorAction = Extract<Action, { kind: 'FileEditorAction' }>
export type FileEditorObservation = Extract<Observation, { kind: 'FileEditorObservation' }>

const MAX_BYTES = BOUNDS.editedFile.limit
const SNIPPET_LINES = 4
const REVIEW = 'Review the changes and make sure they are as expected. Edit the file again if necessary.'

interface Outcome {
  content: Content[]
  existed: boolean
  before?: string
  after?: string
}

/** Reads and edits files of the sandbox from outside: the image needs no program for it. */
export class FileEditor {
  readonly #host: ToolHost
  readonly #history: EditHistory

  constructor(host: ToolHost, history: EditHistory) {
    this.#host = host
    this.#history = history
  }

  async run(action: FileEditorAction, signal: AbortSignal): Promise<FileEditorObservation> {
    signal.throwIfAborted()
    const sandbox = await this.#host.sandbox()
    const { command, path } = action
    try {
      const outcome = await this.#carryOut(sandbox, { ...action, path: await checkPath(sandbox, path) })
      const { content, existed, before, after } = outcome
      return {
        kind: 'FileEditorObservation',
        content: content.map(part => (part.type === 'text' ? { ...part, text: this.#host.mask(part.text) } : part)),
        is_error: false,
        command,
        path,
        prev_exist: existed,
        ...(isSmall(before) && isSmall(after) && before !== undefined && { old_content: this.#host.mask(before) }),
        ...(isSmall(before) && isSmall(after) && after !== undefined && { new_content: this.#host.mask(after) }),
      }
    } catch (error) {
      const told = messageForModel(error)
      if (told === undefined) throw error
      const content = text(this.#host.mask(told))
      return { kind: 'FileEditorObservation', content, is_error: true, command, path, prev_exist: false }
    }
  }

  async #carryOut(sandbox: SandboxHandle, action: FileEditorAction): Promise<Outcome> {
    const { command, path } = action
    const stat = await sandbox.stat(path)
    if (command === 'create') return this.#create(sandbox, action, stat !== undefined)
    if (!stat) throw await missingFile(sandbox, path)
    if (stat.kind === 'directory') {
      if (command !== 'view') {
        throw invalidParameter(
          'path',
          path,
          `The path ${path} is a directory and only the \`view\` command can be used on directories.`,
        )
      }
      if (action.view_range) {
        throw invalidParameter(
          'view_range',
          action.view_range,
          'The `view_range` parameter is not allowed when `path` points to a directory.',
        )
      }
      return { content: await viewFolder(sandbox, path), existed: true }
    }
    if (stat.kind === 'other') throw invalidParameter('path', path, 'It is neither a file nor a directory.')
    if (stat.sizeBytes > MAX_BYTES) {
      throw invalidParameter(
        'path',
        path,
        `File is too large (${megabytes(stat.sizeBytes)} MB). Maximum allowed size is 10 MB. Use grep, head, tail or sed in the terminal.`,
      )
    }
    const bytes = await sandbox.readFile(path, { maxBytes: MAX_BYTES })
    if (command === 'view') return { content: view(action, bytes), existed: true }
    if (command === 'undo_edit') return this.#undo(sandbox, path, bytes)
    return command === 'insert' ? this.#insert(sandbox, action, bytes) : this.#replace(sandbox, action, bytes)
  }

  async #create(sandbox: SandboxHandle, action: FileEditorAction, exists: boolean): Promise<Outcome> {
    const { path, file_text: content } = action
    if (content === undefined) throw missingParameter('file_text', 'create')
    if (exists) {
      throw invalidParameter(
        'path',
        path,
        `File already exists at: ${path}. Cannot overwrite files using command \`create\`.`,
      )
    }
    const bytes = Buffer.from(content)
    checkSize(bytes)
    await sandbox.writeFile(path, bytes)
    return { content: text(`File created successfully at: ${path}`), existed: false, after: content }
  }

  async #replace(sandbox: SandboxHandle, action: FileEditorAction, bytes: Buffer): Promise<Outcome> {
    const { path, old_str: oldText, new_str: newText = '' } = action
    if (oldText === undefined) throw missingParameter('old_str', 'str_replace')
    if (oldText === '')
      throw invalidParameter('old_str', oldText, 'It must not be empty: give the text to be replaced.')
    if (oldText === newText) {
      throw invalidParameter(
        'new_str',
        newText,
        'No replacement was performed. `new_str` and `old_str` must be different.',
      )
    }
    const file = textOf(path, bytes)
    const result = replaceOnce(file.text, oldText, newText)
    if (result.kind === 'several') {
      throw new Problem(
        `No replacement was performed. Multiple occurrences of old_str \`${quoted(oldText)}\` in lines [${result.lines.join(', ')}${result.more ? ', …' : ''}]. Please ensure it is unique: add lines from before or after.`,
      )
    }
    if (result.kind === 'not-found') throw notFound(action, oldText, file.text, result.similar)
    const first = lineAt(result.text, result.start)
    const last = lineAt(result.text, result.start + result.length)
    return this.#edit(sandbox, path, bytes, { ...file, before: file.text, text: result.text, first, last })
  }

  async #insert(sandbox: SandboxHandle, action: FileEditorAction, bytes: Buffer): Promise<Outcome> {
    const { path, insert_line: after, new_str: added } = action
    if (after === undefined) throw missingParameter('insert_line', 'insert')
    if (added === undefined) throw missingParameter('new_str', 'insert')
    const file = textOf(path, bytes)
    const count = countLines(file.text)
    if (after > count) {
      throw invalidParameter('insert_line', after, `It should be within the range of allowed values: [0, ${count}]`)
    }
    const end = lineEnd(file.text)
    const start = startOfLine(file.text, after + 1)
    const before = file.text.slice(0, start)
    const rest = file.text.slice(start)
    const gap = before !== '' && !before.endsWith('\n') ? end : ''
    const written = withLineEnd(added, end)
    const close = written.endsWith('\n') || (rest === '' && gap !== '') ? '' : end
    const edited = before + gap + written + close + rest
    const last = after + countLines(written)
    return this.#edit(sandbox, path, bytes, { ...file, before: file.text, text: edited, first: after + 1, last })
  }

  async #edit(
    sandbox: SandboxHandle,
    path: string,
    bytes: Buffer,
    edit: TextFile & { before: string; first: number; last: number },
  ): Promise<Outcome> {
    const written = encode(edit)
    if (!written) {
      throw new Problem(
        `No change was made: ${path} is encoded in Latin-1, which lacks a character of the new text. Convert the file first, for example with iconv -f latin1 -t utf-8 in the terminal.`,
      )
    }
    checkSize(written)
    await sandbox.writeFile(path, written)
    this.#history.add(path, { before: bytes, after: written })
    const from = Math.max(1, edit.first - SNIPPET_LINES)
    const snippet = numbered(linesBetween(edit.text, from, edit.last + SNIPPET_LINES), from)
    const shown = clipMiddle(
      snippet,
      VIEW_CHARS,
      () => '\n<response clipped><NOTE>The middle of the snippet is left out.</NOTE>\n',
    )
    const told = `The file ${path} has been edited. Here's the result of running \`cat -n\` on a snippet of ${path}:\n${shown}\n${REVIEW}`
    return { content: text(told), existed: true, before: edit.before, after: edit.text }
  }

  async #undo(sandbox: SandboxHandle, path: string, bytes: Buffer): Promise<Outcome> {
    const last = this.#history.last(path)
    if (!last) throw new Problem(`No edit history found for ${path}.`)
    if (!last.after.equals(bytes)) {
      throw new Problem(
        `The last edit to ${path} was not undone: something else has changed the file since, and that change would be lost. View the file and edit it instead.`,
      )
    }
    await sandbox.writeFile(path, last.before)
    this.#history.removeLast(path)
    const restored = textOf(path, last.before).text
    const [shown] = viewText(path, restored, undefined)
    const told = `Last edit to ${path} undone successfully. ${shown?.type === 'text' ? shown.text : ''}`
    return { content: text(told), existed: true, before: textOf(path, bytes).text, after: restored }
  }
}

function view(action: FileEditorAction, bytes: Buffer): Content[] {
  const type = imageType(bytes)
  if (type) return viewImage(action.path, bytes, type)
  return viewText(action.path, textOf(action.path, bytes).text, action.view_range)
}

function textOf(path: string, bytes: Buffer): TextFile {
  const file = decode(bytes)
  if (!file) throw notText(path)
  return file
}

function notFound(
  { path }: FileEditorAction,
  oldText: string,
  content: string,
  similar: { first: number; last: number; difference: string } | undefined,
): Problem {
  const told = `No replacement was performed, old_str \`${quoted(oldText)}\` did not appear verbatim in ${path}.`
  if (!similar) return new Problem(told)
  const { first, last, difference } = similar
  const shown = clipMiddle(numbered(linesBetween(content, first, last), first), VIEW_CHARS, () => '\n…\n')
  return new Problem(`${told} Lines ${first} to ${last} differ only in white space (${difference}):\n${shown}`)
}

function checkSize(bytes: Buffer): void {
  if (bytes.length > MAX_BYTES) {
    throw new Problem(`No change was made: the file would have ${megabytes(bytes.length)} MB, and 10 MB is the limit.`)
  }
}

function isSmall(content: string | undefined): boolean {
  return content === undefined || Buffer.byteLength(content) <= BOUNDS.recordedFile.limit
}
