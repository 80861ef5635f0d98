import { BOUNDS } from '../../domain/bounds.ts'
import { countLines, lineEnd } from '../file-editor/lines.ts'
import { Problem, quoted } from '../file-editor/problem.ts'
import { SearchedLines } from './find.ts'
import type { Hunk } from './parse.ts'

export interface Fitted {
  text: string
  /** How far the context had to be bent; 0 when it fits to the letter. */
  fuzz: number
  /** Lines of the new text that each hunk became. */
  places: { first: number; last: number }[]
}

interface FileLine {
  text: string
  end: string
}

interface Change {
  start: number
  removed: number
  lines: FileLine[]
}

const ANCHOR_MISSING = 1_000

/**
 * Carries the hunks out on a text. What a hunk keeps stays byte for byte as it is in the file, also where the patch
 * writes it a little differently; new lines get the line end that the file uses.
 *
 * A hunk without an anchor must fit in one place only behind the hunk before it. @throws Problem when one does not fit
 */
export function fitHunks(path: string, text: string, hunks: readonly Hunk[]): Fitted {
  if (countLines(text) > BOUNDS.patchedLines.limit) {
    throw new Problem(
      `${path} has more than ${BOUNDS.patchedLines.limit.toLocaleString('en-US')} lines, too many for a patch. Nothing was changed. Edit it with file_editor, or with a script in the terminal.`,
    )
  }
  const lines = splitLines(text)
  const searched = new SearchedLines(lines.map(line => line.text))
  const end = lineEnd(text)
  const changes: Change[] = []
  let fuzz = 0
  let cursor = 0
  for (const [index, hunk] of hunks.entries()) {
    const place = positionOf({ path, lines: searched, hunk, cursor, number: index + 1 })
    fuzz += place.fuzz
    const change = changeAt(lines, hunk, place.start, end)
    changes.push(change)
    cursor = change.start + change.removed
  }
  return { ...applyChanges(lines, changes, end), fuzz }
}

interface Search {
  path: string
  lines: SearchedLines
  hunk: Hunk
  cursor: number
  /** of the hunk, from 1 */
  number: number
}

function positionOf(search: Search): { start: number; fuzz: number } {
  const { lines, hunk, cursor } = search
  const anchored = anchoredAt(search)
  const wanted = hunk.lines.flatMap(line => (line.kind === 'add' ? [] : [line.text]))
  if (wanted.length === 0) {
    // Nothing is named but the place: after the anchor, else at the end.
    if (hunk.anchors.length > 0 && !anchored.found) throw notFound(search, hunk.anchors)
    return { start: anchored.found && !hunk.atEnd ? anchored.from + 1 : lines.lines.length, fuzz: anchored.fuzz }
  }
  const found = lines.find(wanted, { from: anchored.from, atEnd: hunk.atEnd })
  if (!found) throw notFound(search, wanted)
  if (found.starts.length > 1 && !anchored.found && !hunk.atEnd) {
    const places = found.starts.map(start => start + 1)
    throw new Problem(
      `Hunk ${search.number} of ${search.path} fits in several places: at lines ${places.join(', ')}. Nothing was changed. Give more lines around the change, or name the function or class above it after \`@@\`.`,
    )
  }
  return { start: found.starts[0] ?? cursor, fuzz: found.fuzz + anchored.fuzz }
}

/**
 * Where the hunk's anchors lead. An anchor may lie above the hunk before this one, when both are in the same function.
 * Without the anchor in the file, the hunk has to be clear by itself.
 */
function anchoredAt({ lines, hunk, cursor }: Search): { from: number; found: boolean; fuzz: number } {
  let from = cursor
  for (const anchor of hunk.anchors) {
    const at = lines.findAnchor(anchor, from)
    if (at === undefined && lines.findAnchor(anchor, 0) === undefined) {
      return { from: cursor, found: false, fuzz: ANCHOR_MISSING }
    }
    from = at ?? from
  }
  return { from, found: hunk.anchors.length > 0, fuzz: 0 }
}

function notFound({ path, lines, cursor, number, hunk }: Search, wanted: readonly string[]): Problem {
  const shown = quoted(wanted.slice(0, 8).join('\n')) + (wanted.length > 8 ? '\n…' : '')
  const told = `Hunk ${number} does not fit ${path}: these lines were not found${cursor > 0 ? ` behind line ${cursor}` : ''}. Nothing was changed.\n${shown}`
  const earlier = cursor > 0 && lines.find(wanted, { from: 0, atEnd: false })
  if (earlier) {
    return new Problem(
      `${told}\nThey stand at line ${(earlier.starts[0] ?? 0) + 1}, before the hunk above: hunks come in the order of the file.`,
    )
  }
  const close = lines.nearest(wanted)
  if (!close) return new Problem(`${told}\nView the file and write the patch from what it holds.`)
  const anchor = hunk.anchors.length > 0 ? ` (anchor: ${quoted(hunk.anchors.join(' '))})` : ''
  return new Problem(
    `${told}\nClosest is line ${close.start + 1}${anchor}. There line ${close.line + 1} of the file is:\n${quoted(close.found)}\nand the patch has:\n${quoted(close.wanted)}`,
  )
}

function changeAt(lines: readonly FileLine[], hunk: Hunk, start: number, end: string): Change {
  const kept: FileLine[] = []
  let at = start
  for (const { kind, text } of hunk.lines) {
    const present = lines[at]
    if (kind === 'add') kept.push({ text, end })
    else {
      if (kind === 'keep' && present) kept.push(present)
      at++
    }
  }
  return { start, removed: at - start, lines: kept }
}

function applyChanges(
  lines: readonly FileLine[],
  changes: readonly Change[],
  end: string,
): { text: string; places: Fitted['places'] } {
  const result: FileLine[] = []
  const places: Fitted['places'] = []
  let at = 0
  for (const { start, removed, lines: written } of changes) {
    for (const line of lines.slice(at, start)) result.push(line)
    places.push({ first: result.length + 1, last: result.length + Math.max(1, written.length) })
    for (const line of written) result.push(line)
    at = start + removed
  }
  for (const line of lines.slice(at)) result.push(line)
  const closed = lines.length === 0 || lines.at(-1)?.end !== ''
  const last = result.length - 1
  const text = result.map((line, index) => line.text + (index < last || closed ? line.end || end : '')).join('')
  return { text, places }
}

function splitLines(text: string): FileLine[] {
  const lines: FileLine[] = []
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 ? text.length : newline + 1
    const end = newline < 0 ? '' : newline > at && text[newline - 1] === '\r' ? '\r\n' : '\n'
    lines.push({ text: text.slice(at, next - end.length), end })
    at = next
  }
  return lines
}
