import { useMemo, useState } from 'react'
import { shownName } from '../../../../state/files/tree.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeText } from '../../../../ui/code/CodeText.tsx'
import { t } from '../text.ts'
import { type LineColours, useDiffColours } from './diff-colours.ts'
import { type DiffHunk, type DiffLine, diffHunks } from './diff-lines.ts'

const FIRST_LINES = 400
/** So many more at a time. */
const MORE_LINES = 2_000

const LINE_STYLES = {
  same: { sign: ' ', row: '', mark: 'text-faint' },
  added: { sign: '+', row: 'bg-good-wash', mark: 'text-good' },
  removed: { sign: '−', row: 'bg-bad-wash', mark: 'text-bad' },
} as const

interface Props {
  /** Of the file, whose name tells its language. */
  path: string
  before: string
  after: string
}

/** A unified diff. Long ones show their beginning until asked for the rest. */
export function DiffView({ path, before, after }: Props) {
  const hunks = useMemo(() => diffHunks(before, after), [before, after])
  const colours = useDiffColours(path, before, after)
  const [limit, setLimit] = useState(FIRST_LINES)
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  if (total === 0) return <p className="px-3 py-2 text-soft text-sm">{t('noLineDiffers')}</p>
  const shown = firstLines(hunks, limit)
  const left = total - limit
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="overflow-auto font-mono text-sm">
      <table aria-label={t('changesInPath', { path: shownName(path) })} className="w-full border-collapse">
        <tbody>
          {shown.map(hunk => (
            <Hunk key={hunk.header} hunk={hunk} colours={colours} />
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <div className="border-line border-t p-2">
          <Button size="small" onClick={() => setLimit(limit + MORE_LINES)}>
            {left > MORE_LINES ? t('showSomeLines', { count: MORE_LINES, left }) : t('showLines', { left })}
          </Button>
        </div>
      )}
    </div>
  )
}

function Hunk({ hunk, colours }: { hunk: DiffHunk; colours: LineColours }) {
  return (
    <>
      <tr className="bg-sunken text-faint">
        <td colSpan={4} className="select-none px-3 py-0.5">
          {hunk.header}
        </td>
      </tr>
      {hunk.lines.map(line => (
        <Line key={`${line.before}/${line.after}`} line={line} tokens={colours(line)} />
      ))}
    </>
  )
}

function Line({ line, tokens }: { line: DiffLine; tokens: ReturnType<LineColours> }) {
  const look = LINE_STYLES[line.kind]
  const number = 'w-px select-none pe-2 ps-3 text-end align-top text-faint tabular'
  return (
    <tr className={look.row}>
      <td className={number}>{line.before}</td>
      <td className={number}>{line.after}</td>
      <td className={`w-px select-none px-1 align-top ${look.mark}`}>{look.sign}</td>
      <td className="whitespace-pre-wrap break-words pe-3 [overflow-wrap:anywhere]">
        <CodeText text={line.text || ' '} tokens={tokens} />
      </td>
    </tr>
  )
}

function firstLines(hunks: readonly DiffHunk[], limit: number): DiffHunk[] {
  let left = limit
  const shown: DiffHunk[] = []
  for (const hunk of hunks) {
    if (left <= 0) break
    shown.push({ ...hunk, lines: hunk.lines.slice(0, left) })
    left -= hunk.lines.length
  }
  return shown
}
