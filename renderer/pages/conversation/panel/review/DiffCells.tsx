import type { ReactNode } from 'react'
import { CodeText, type Stretch } from '../../../../ui/code/CodeText.tsx'
import type { Token } from '../../../../ui/code/kinds.ts'
import type { DiffLine } from '../../timeline/action/diff-lines.ts'
import { t } from './text.ts'

/** A line that is commented on. */
export interface Place {
  side: 'before' | 'after'
  line: number
  quoted: string
}

interface ShownLine {
  line: DiffLine
  stretches: Stretch[] | null
  tokens: readonly Token[] | undefined
}

type Props = {
  /** Absent where lines are not commented on. */
  onComment?: (place: Place) => void
  /** What stands under the row about its lines. */
  below?: (places: readonly (Place | null)[]) => ReactNode
} & ({ only: ShownLine } | { left: ShownLine | null; right: ShownLine | null })

const GROUND = { same: '', added: 'bg-good-wash', removed: 'bg-bad-wash' } as const
const MARK = {
  same: '',
  added: 'bg-good/25 forced-colors:underline',
  removed: 'bg-bad/25 forced-colors:underline',
} as const
const SIGN = { same: ' ', added: '+', removed: '−' } as const
/** Where there is no column for the sign. */
const SIGN_BEFORE = { same: '', added: "before:content-['+']", removed: "before:content-['−']" } as const
const TEXT = 'whitespace-pre-wrap break-words pe-3 align-top [overflow-wrap:anywhere]'

/** A row of the diff: one line with both of its numbers, or two lines beside each other. */
export function DiffCells(props: Props) {
  const { onComment, below } = props
  if ('only' in props) {
    const { line } = props.only
    const place = placeOf(line)
    return (
      <>
        <tr className={GROUND[line.kind]}>
          <NumberCell number={line.before} place={line.kind === 'removed' ? place : null} onComment={onComment} />
          <NumberCell number={line.after} place={line.kind === 'removed' ? null : place} onComment={onComment} />
          <td className="select-none text-center align-top">{SIGN[line.kind]}</td>
          <td className={`${TEXT} ps-1`}>
            <LineText {...props.only} />
          </td>
        </tr>
        {below?.([place])}
      </>
    )
  }
  const { left, right } = props
  const isSame = left?.line.kind === 'same'
  const places = [left && !isSame ? placeOf(left.line) : null, right ? placeOf(right.line) : null]
  return (
    <>
      <tr>
        <Half shown={left} number={left?.line.before ?? null} place={places[0] ?? null} onComment={onComment} />
        <Half shown={right} number={right?.line.after ?? null} place={places[1] ?? null} onComment={onComment} />
      </tr>
      {below?.(places)}
    </>
  )
}

interface HalfProps extends NumberProps {
  shown: ShownLine | null
}

function Half({ shown, ...number }: HalfProps) {
  const ground = shown ? GROUND[shown.line.kind] : 'bg-sunken'
  const sign = shown ? SIGN_BEFORE[shown.line.kind] : ''
  return (
    <>
      <NumberCell {...number} className={ground} />
      <td className={`relative before:absolute before:start-0 ${TEXT} ${ground} ${sign} ps-4`}>
        {shown && <LineText {...shown} />}
      </td>
    </>
  )
}

interface NumberProps {
  number: number | null
  place: Place | null
  onComment: ((place: Place) => void) | undefined
  className?: string
}

function NumberCell({ number, place, onComment, className = '' }: NumberProps) {
  return (
    <td className={`select-none text-end align-top text-soft tabular ${className}`}>
      {place && onComment && number !== null ? (
        <button
          type="button"
          aria-label={t('commentOnLine', { line: String(number) })}
          onClick={() => onComment(place)}
          className="w-full cursor-pointer pe-2 text-end hover:bg-accent-wash hover:text-accent"
        >
          {number}
        </button>
      ) : (
        <span className="pe-2">{number}</span>
      )}
    </td>
  )
}

function LineText({ line, stretches, tokens }: ShownLine) {
  return <CodeText text={line.text || ' '} tokens={tokens} stretches={stretches} mark={MARK[line.kind]} />
}

function placeOf({ kind, before, after, text }: DiffLine): Place | null {
  const line = kind === 'removed' ? before : after
  return line === null ? null : { side: kind === 'removed' ? 'before' : 'after', line, quoted: text }
}
