import { useMemo, useState } from 'react'
import { shownName } from '../../../../state/files/tree.ts'
import { Button } from '../../../../ui/Button.tsx'
import { type LineColours, useDiffColours } from '../../timeline/action/diff-colours.ts'
import { type DiffHunk, diffHunks } from '../../timeline/action/diff-lines.ts'
import { DiffCells } from '../review/DiffCells.tsx'
import { rowsOf, stretchesOf, unified } from '../review/rows.ts'
import { t } from './text.ts'

const FIRST_LINES = 400
const MORE_LINES = 2_000

interface Props {
  path: string
  before: string
  after: string
  isSplit: boolean
}

/** Two texts beside each other, or as one. Long ones show their beginning until asked for the rest. */
export function ComparedDiff({ path, before, after, isSplit }: Props) {
  const hunks = useMemo(() => diffHunks(before, after), [before, after])
  const colours = useDiffColours(path, before, after)
  const [limit, setLimit] = useState(FIRST_LINES)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  let left = limit
  return (
    <>
      <table
        aria-label={t('differencesIn', { path: shownName(path) })}
        className="w-full table-fixed border-collapse font-mono text-sm"
      >
        <colgroup>
          <col className="w-14" />
          <col className={isSplit ? '' : 'w-14'} />
          <col className={isSplit ? 'w-14' : 'w-6'} />
          <col />
        </colgroup>
        <tbody>
          {hunks.map(hunk => {
            const lines = hunk.lines.slice(0, Math.max(0, left))
            left -= hunk.lines.length
            return lines.length === 0 ? null : (
              <Hunk key={hunk.header} hunk={{ ...hunk, lines }} colours={colours} isSplit={isSplit} />
            )
          })}
        </tbody>
      </table>
      {total > limit && (
        <div className="border-line border-t p-2">
          <Button size="small" onClick={() => setLimit(limit + MORE_LINES)}>
            {t('showMoreLines', { left: total - limit })}
          </Button>
        </div>
      )}
    </>
  )
}

function Hunk({ hunk, colours, isSplit }: { hunk: DiffHunk; colours: LineColours; isSplit: boolean }) {
  const rows = useMemo(() => rowsOf(hunk.lines), [hunk.lines])
  return (
    <>
      <tr data-hunk tabIndex={-1} className="scroll-mt-12 bg-sunken text-faint -outline-offset-2">
        <td colSpan={4} className="select-none px-3 py-0.5">
          {hunk.header}
        </td>
      </tr>
      {isSplit
        ? rows.map(row => (
            <DiffCells
              key={`${row.left?.before} ${row.right?.after}`}
              left={row.left && { line: row.left, stretches: stretchesOf(row, 'left'), tokens: colours(row.left) }}
              right={row.right && { line: row.right, stretches: stretchesOf(row, 'right'), tokens: colours(row.right) }}
            />
          ))
        : unified(rows).map(({ line, row }) => (
            <DiffCells
              key={`${line.before} ${line.after}`}
              only={{
                line,
                stretches: stretchesOf(row, line.kind === 'removed' ? 'left' : 'right'),
                tokens: colours(line),
              }}
            />
          ))}
    </>
  )
}
