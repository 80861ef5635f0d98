import { Undo2 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { ReviewComment } from '../../../../../server/api/event/review-comments.ts'
import type { ReviewHunk } from '../../../../../server/api/v1/conversation/review.ts'
import type { ReviewThread } from '../../../../../server/api/v1/git/pull-request-status.ts'
import { commentOn, type FoundLine, isAt } from '../../../../state/conversation/review-comments.ts'
import { Button } from '../../../../ui/Button.tsx'
import type { Stretch } from '../../../../ui/code/CodeText.tsx'
import type { OnChange } from '../../pull-request/Suggestions.tsx'
import { ThreadView } from '../../pull-request/ThreadView.tsx'
import type { LineColours } from '../../timeline/action/diff-colours.ts'
import type { DiffHunk, DiffLine } from '../../timeline/action/diff-lines.ts'
import { CommentEditor } from './CommentEditor.tsx'
import { DiffCells, type Place } from './DiffCells.tsx'
import type { PlacedComment, PlacedComments, SideLines } from './placed-comments.ts'
import { rangeOf, rowsOf, stretchesOf, unified } from './rows.ts'
import { SentCommentView } from './SentCommentView.tsx'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

const FIRST_LINES = 400
const MORE_LINES = 2_000

/** What can be done with one hunk. */
interface HunkAct {
  label: string
  isUndo: boolean
  reason: string | null
  act: (hunk: ReviewHunk) => void
}

interface Props {
  review: Review
  path: string
  lines: SideLines
  placed: PlacedComments
  hunks: readonly DiffHunk[]
  colours: LineColours
  isSplit: boolean
  acts: readonly HunkAct[]
}

/** Hunks with numbers that are pressed to comment on their line. Long ones show their beginning until asked for the rest. */
export function DiffTable({ review, path, lines: sides, placed, hunks, colours, isSplit, acts }: Props) {
  const [limit, setLimit] = useState(FIRST_LINES)
  const [writing, setWriting] = useState<Place | null>(null)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  let shown = 0
  const parts: ReactNode[] = []
  for (const hunk of hunks) {
    if (shown >= limit) break
    const lines = hunk.lines.slice(0, limit - shown)
    shown += lines.length
    const range = rangeOf(hunk)
    parts.push(
      <tr
        key={`${hunk.header} ${parts.length}`}
        data-hunk
        tabIndex={-1}
        className="scroll-mt-12 bg-sunken text-faint -outline-offset-2"
      >
        <td colSpan={4} className="px-3 py-0.5">
          <span className="flex items-center gap-2">
            <span className="select-none">{hunk.header}</span>
            {range &&
              acts.map(({ label, isUndo, reason, act }) => (
                <Button
                  key={label}
                  size="small"
                  look="quiet"
                  icon={isUndo && <Undo2 size={12} aria-hidden />}
                  disabledReason={reason}
                  onClick={() => act(range)}
                >
                  {label}
                </Button>
              ))}
          </span>
        </td>
      </tr>,
      <HunkRows
        key={`lines ${hunk.header} ${parts.length}`}
        lines={lines}
        colours={colours}
        isSplit={isSplit}
        path={path}
        sides={sides}
        placed={placed}
        comments={review.comments}
        threads={review.threadsOf({ path })}
        onChange={review.setReverted}
        writing={writing}
        onWrite={setWriting}
        onComment={comment => {
          review.comment(comment)
          setWriting(null)
        }}
      />,
    )
  }
  return (
    <>
      <table aria-label={t('changesInPath', { path })} className="w-full table-fixed border-collapse font-mono text-sm">
        <colgroup>
          <col className="w-14" />
          <col className={isSplit ? '' : 'w-14'} />
          <col className={isSplit ? 'w-14' : 'w-6'} />
          <col />
        </colgroup>
        <tbody>{parts}</tbody>
      </table>
      {total > limit && (
        <div className="border-line border-t p-2">
          <Button size="small" onClick={() => setLimit(limit + MORE_LINES)}>
            {t('showMoreLines', { left: String(total - limit) })}
          </Button>
        </div>
      )}
    </>
  )
}

interface HunkProps {
  lines: readonly DiffLine[]
  colours: LineColours
  isSplit: boolean
  path: string
  sides: SideLines
  placed: PlacedComments
  comments: readonly ReviewComment[]
  threads: readonly ReviewThread[]
  onChange: OnChange
  writing: Place | null
  onWrite: (place: Place | null) => void
  onComment: (comment: ReviewComment) => void
}

function HunkRows({
  lines,
  colours,
  isSplit,
  path,
  sides,
  placed,
  comments,
  threads,
  onChange,
  writing,
  onWrite,
  onComment,
}: HunkProps) {
  const rows = useMemo(() => rowsOf(lines), [lines])
  const single = useMemo(() => unified(rows), [rows])
  const own = comments.filter(comment => comment.path === path)
  const below = (places: readonly (Place | null)[]) =>
    places.flatMap(place => {
      if (!place) return []
      const said = place.side === 'after' ? threads.filter(({ line }) => line === place.line) : []
      return [
        ...placed
          .at(place)
          .map(one => <SentRow key={one.comment.number} placed={one} onReply={() => onWrite(place)} />),
        ...said.map(thread => <ThreadRow key={thread.id} thread={thread} onChange={onChange} />),
        ownComment(place),
      ]
    })
  const ownComment = (place: Place) => {
    const comment = own.find(known => isAt(known, { path, ...place }))
    const isWriting = writing?.side === place.side && writing.line === place.line
    if (!comment && !isWriting) return null
    return (
      <tr key={`${place.side} ${place.line}`}>
        <td colSpan={4} className="border-line border-y bg-surface p-2 font-sans">
          <CommentEditor
            text={comment?.text ?? ''}
            isWriting={isWriting}
            label={t('commentOnLine', { line: String(place.line) })}
            onEdit={() => onWrite(place)}
            onCancel={() => onWrite(null)}
            onSave={text => onComment(commentOn({ path, side: place.side, line: place.line }, sides[place.side], text))}
          />
        </td>
      </tr>
    )
  }
  const shown = (line: DiffLine, stretches: Stretch[] | null) => ({ line, stretches, tokens: colours(line) })
  if (isSplit)
    return rows.map(row => (
      <DiffCells
        key={`${row.left?.before} ${row.right?.after}`}
        left={row.left && shown(row.left, stretchesOf(row, 'left'))}
        right={row.right && shown(row.right, stretchesOf(row, 'right'))}
        onComment={onWrite}
        below={below}
      />
    ))
  return single.map(({ line, row }) => (
    <DiffCells
      key={`${line.before} ${line.after}`}
      only={shown(line, stretchesOf(row, line.kind === 'removed' ? 'left' : 'right'))}
      onComment={onWrite}
      below={below}
    />
  ))
}

function SentRow({ placed: { comment, found }, onReply }: { placed: PlacedComment; onReply: () => void }) {
  return (
    <tr>
      <td colSpan={4} className="border-line border-y bg-surface p-2 font-sans">
        <SentCommentView comment={comment} note={noteOf(comment, found)} onReply={onReply} />
      </td>
    </tr>
  )
}

function noteOf({ line }: ReviewComment, found: FoundLine | null): string | null {
  if (found?.isChanged) return t('lineHasChanged')
  return found && found.line !== line ? t('lineWas', { line: String(line) }) : null
}

function ThreadRow({ thread, onChange }: { thread: ReviewThread; onChange: OnChange }) {
  return (
    <tr>
      <td colSpan={4} className="border-line border-y bg-surface p-2 font-sans">
        <ThreadView thread={thread} onChange={onChange} />
      </td>
    </tr>
  )
}
