import { memo, useEffect, useRef, useState } from 'react'
import { useSettled } from '../../../../../state/settled.ts'
import { t } from '../../files/text.ts'
import type { PageSize, TextBox } from './messages.ts'
import { PdfProblem, type PdfReader } from './reader.ts'

/** While a window or a panel is dragged, each step would be another picture. */
const SETTLED_MS = 150

interface Props {
  reader: PdfReader
  page: number
  /** Size of the first page: that of most others. */
  first: PageSize
  factor: number
}

/** A picture of a page with its text over it, which is not seen but can be selected and read aloud. */
export function PdfPage({ reader, page, first, factor }: Props) {
  const picture = useRef<HTMLCanvasElement>(null)
  const [size, setSize] = useState(first)
  const [boxes, setBoxes] = useState<readonly TextBox[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  // Until the size has settled, the picture that there is is stretched.
  const pixels = useSettled(Math.round(size.width * factor * devicePixelRatio), SETTLED_MS)
  useEffect(() => {
    const given = new AbortController()
    const { signal } = given
    reader.draw(page, pixels, signal).then(
      drawn => {
        if (signal.aborted || !picture.current) return drawn.picture.close()
        picture.current.width = drawn.picture.width
        picture.current.height = drawn.picture.height
        picture.current.getContext('bitmaprenderer')?.transferFromImageBitmap(drawn.picture)
        setSize(drawn.size)
        setProblem(null)
      },
      reason => signal.aborted || setProblem(wordsOf(reason)),
    )
    return () => given.abort()
  }, [reader, page, pixels])
  useEffect(() => {
    const given = new AbortController()
    // A page whose text cannot be had is a picture.
    reader.text(page, given.signal).then(setBoxes, () => {})
    return () => given.abort()
  }, [reader, page])
  return (
    <div className="py-3">
      <article
        aria-label={t('pdfPageNumber', { page })}
        style={{ width: size.width * factor, height: size.height * factor }}
        className="relative mx-auto overflow-hidden bg-white outline outline-line"
      >
        <canvas ref={picture} aria-hidden className="absolute inset-0 size-full" />
        {problem ? (
          <p role="alert" className="absolute inset-0 bg-surface p-6 text-soft">
            {problem}
          </p>
        ) : (
          <PageText boxes={boxes} size={size} factor={factor} />
        )}
      </article>
    </div>
  )
}

const PageText = memo(({ boxes, size, factor }: { boxes: readonly TextBox[]; size: PageSize; factor: number }) => (
  <div
    // Places of a page are the same in every language of the window.
    style={{
      ...size,
      left: 0,
      top: 0,
      transform: `scale(${factor})`,
      fontFamily: 'sans-serif',
      forcedColorAdjust: 'none',
    }}
    className="absolute origin-top-left text-transparent selection:bg-accent/30"
  >
    {boxes.map(({ text, left, top, height, angle, stretch, isRightToLeft }, index) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes
        key={index}
        dir={isRightToLeft ? 'rtl' : 'ltr'}
        style={{ left, top, fontSize: height, transform: `rotate(${angle}rad) scaleX(${stretch})` }}
        className="absolute origin-top-left cursor-text whitespace-pre leading-none"
      >
        {text}
      </span>
    ))}
  </div>
))

function wordsOf(reason: unknown): string {
  return reason instanceof PdfProblem && reason.code === 'slow' ? t('pdfPageSlow') : t('pdfPageBroken')
}
