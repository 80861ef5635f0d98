import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type Mark, markAfterKey, markBetween, type Point } from '../../../../state/preview/marks.ts'
import { t } from './text.ts'

interface MarkingProps {
  picture: string
  marks: readonly Mark[]
  /** The index of the mark that is to have the focus; null for none. */
  wanted: number | null
  /** It has it. */
  onFocused: () => void
  /** One was drawn. */
  onMark: (mark: Mark) => void
  onChange: (index: number, mark: Mark) => void
  onRemove: (index: number) => void
}

/** A picture on which rectangles are drawn with a pointer, and moved, sized and removed with keys. */
export function Marking({ picture, marks, wanted, onFocused, onMark, onChange, onRemove }: MarkingProps) {
  const place = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<{ from: Point; to: Point } | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (wanted === null) return
    place.current?.querySelectorAll('button')[wanted]?.focus()
    onFocused()
  }, [wanted, onFocused])
  function pointOf({ clientX, clientY }: PointerEvent): Point {
    const { left, top, width, height } = place.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return { x: (clientX - left) / width, y: (clientY - top) / height }
  }
  function onKey(event: KeyboardEvent, index: number, mark: Mark) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = markAfterKey(mark, event)
    if (next) {
      onChange(index, next)
      setSaid(placeWords(next, index + 1))
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      onRemove(index)
      setSaid(t('markRemoved', { number: String(index + 1) }))
    } else return
    event.preventDefault()
  }
  const growing = drawn && markBetween(drawn.from, drawn.to)
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center overflow-hidden bg-sunken p-4">
      <div
        ref={place}
        onPointerDown={event => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrawn({ from: pointOf(event), to: pointOf(event) })
        }}
        onPointerMove={event => drawn && setDrawn({ ...drawn, to: pointOf(event) })}
        onPointerUp={() => {
          if (growing) onMark(growing)
          setDrawn(null)
        }}
        onPointerCancel={() => setDrawn(null)}
        className="relative max-h-full max-w-full cursor-crosshair touch-none"
      >
        <img
          src={picture}
          alt={t('pictureOfPage')}
          className="block max-h-[calc(100vh-96px)] max-w-full"
          style={{ background: 'white' }}
        />
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a mark is its number, wherever it is moved
          <MarkBox key={index} mark={mark} number={index + 1} onKeyDown={event => onKey(event, index, mark)} />
        ))}
        {growing && <MarkBox mark={growing} number={marks.length + 1} onKeyDown={() => {}} />}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  )
}

interface MarkBoxProps {
  mark: Mark
  number: number
  onKeyDown: (event: KeyboardEvent) => void
}

/** It lets a pointer through: what is drawn may begin in another mark. */
function MarkBox({ mark, number, onKeyDown }: MarkBoxProps) {
  const { x, y, width, height } = mark
  const place = { left: percent(x), top: percent(y), width: percent(width), height: percent(height) }
  return (
    <button
      type="button"
      style={place}
      aria-label={placeWords(mark, number)}
      aria-description={t('markKeys')}
      title={t('markKeys')}
      onKeyDown={onKeyDown}
      className="pointer-events-none absolute border-2 border-bad"
    >
      <span
        style={{ left: 0, top: 0 }}
        className="absolute forced-color-adjust-none bg-bad-fill px-1 font-semibold text-on-accent text-xs"
      >
        {number}
      </span>
    </button>
  )
}

function placeWords({ x, y, width, height }: Mark, number: number): string {
  const whole = (share: number) => String(Math.round(share * 100))
  return t('markPlace', {
    number: String(number),
    left: whole(x),
    top: whole(y),
    width: whole(width),
    height: whole(height),
  })
}

function percent(share: number): string {
  return `${share * 100}%`
}
