import { diffLines, structuredPatch } from 'diff'
import { t } from '../text.ts'

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  before: number | null
  after: number | null
  text: string
}

export interface DiffHunk {
  /** `@@ -1,4 +1,5 @@` */
  header: string
  /** The first line before and after; null where both texts are shown whole. */
  begins: { before: number; after: number } | null
  lines: readonly DiffLine[]
}

/** Past this the exact diff costs more than it tells: both texts are shown whole. */
const BOUNDS = { timeout: 50, maxEditLength: 4_000 }

const TOO_DIFFERENT = t('tooMuchDiffersToCompare')

/** Hunks with so many lines of context; none when both texts are the same. */
export function diffHunks(before: string, after: string, context = 3): DiffHunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context, ...BOUNDS })
  if (!patch)
    return [{ header: TOO_DIFFERENT, begins: null, lines: [...whole(before, 'removed'), ...whole(after, 'added')] }]
  return patch.hunks.map(hunk => ({
    header: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    begins: { before: hunk.oldStart, after: hunk.newStart },
    lines: numbered(hunk.lines, hunk.oldStart, hunk.newStart),
  }))
}

export function diffCounts(before: string, after: string): { added: number; removed: number } {
  const parts = diffLines(before, after, BOUNDS)
  if (!parts) return { added: lineCount(after), removed: lineCount(before) }
  const sum = (which: 'added' | 'removed') => parts.reduce((total, part) => total + (part[which] ? part.count : 0), 0)
  return { added: sum('added'), removed: sum('removed') }
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): DiffLine[] {
  let before = oldStart
  let after = newStart
  return lines
    .filter(line => !line.startsWith('\\'))
    .map(line => {
      const text = line.slice(1)
      if (line.startsWith('+')) return { kind: 'added', before: null, after: after++, text }
      if (line.startsWith('-')) return { kind: 'removed', before: before++, after: null, text }
      return { kind: 'same', before: before++, after: after++, text }
    })
}

function whole(text: string, kind: 'added' | 'removed'): DiffLine[] {
  return text.split('\n').map((line, index) => ({
    kind,
    before: kind === 'removed' ? index + 1 : null,
    after: kind === 'added' ? index + 1 : null,
    text: line,
  }))
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.split('\n').length
}
