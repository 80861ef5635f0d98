import { type KeyboardEvent, useCallback, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { readingStep } from '../../../../../state/reading-step.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { t } from '../../files/text.ts'
import type { PageSize } from './messages.ts'
import { PdfPage } from './PdfPage.tsx'
import type { PdfReader } from './reader.ts'

const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const
/** Beside a page that is as wide as there is room. */
const MARGIN = 48
/** Between two pages. */
const GAP = 24

interface Props {
  reader: PdfReader
  pages: number
  first: PageSize
}

/**
 * The pages below each other; only those near the window are drawn. + and - change their size, and arrows go
 * from one to the next.
 */
export function PdfPages({ reader, pages, first }: Props) {
  const list = useRef<VirtuosoHandle>(null)
  const [room, setRoom] = useState(0)
  const [at, setAt] = useState(0)
  /** `all`: as wide as there is room, but hardly beyond the actual size, until somebody wants it so. */
  const [zoom, setZoom] = useState<number | 'width' | 'all'>('all')
  const attach = useCallback((place: HTMLElement | null) => {
    if (!place) return
    const watch = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    watch.observe(place)
    return () => watch.disconnect()
  }, [])
  const fitting = Math.min(2, Math.max(0.1, (room - MARGIN) / first.width))
  const factor = zoom === 'width' ? fitting : zoom === 'all' ? Math.min(1.25, fitting) : zoom

  const go = (page: number) => list.current?.scrollToIndex(Math.min(pages - 1, Math.max(0, page)))
  const enlarge = () => setZoom(ZOOMS.find(each => each > factor * 1.01) ?? factor)
  const reduce = () => setZoom(ZOOMS.findLast(each => each < factor / 1.01) ?? factor)
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = readingStep(event.key)
    if (step && factor <= fitting) go(at + step)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(pages - 1)
    else if (event.key === '+' || event.key === '=') enlarge()
    else if (event.key === '-') reduce()
    else if (event.key === '0') setZoom('width')
    else return
    event.preventDefault()
  }
  return (
    <>
      <div ref={attach} className="min-h-0 flex-1 bg-sunken">
        {room > 0 && (
          <Virtuoso
            ref={list}
            className="h-full overflow-x-auto!"
            tabIndex={0}
            role="group"
            aria-label={t('pdfPages')}
            onKeyDown={onKeyDown}
            totalCount={pages}
            defaultItemHeight={first.height * factor + GAP}
            rangeChanged={({ startIndex }) => setAt(startIndex)}
            itemContent={index => <PdfPage reader={reader} page={index + 1} first={first} factor={factor} />}
          />
        )}
      </div>
      <footer className="flex shrink-0 flex-wrap items-center gap-2 border-line border-t px-4 py-2">
        <span role="status" className="flex-1 text-soft tabular">
          {t('pdfPage', { page: at + 1, pages })}
        </span>
        <Button size="small" onClick={reduce}>
          {t('zoomOut')}
        </Button>
        <Button size="small" onClick={() => setZoom('width')}>
          {t('fitWidth')}
        </Button>
        <Button size="small" onClick={enlarge}>
          {t('zoomIn')}
        </Button>
      </footer>
    </>
  )
}
