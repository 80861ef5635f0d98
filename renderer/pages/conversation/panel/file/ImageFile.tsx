import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileBytesQuery } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { isDrawnSoon } from '../../../../state/files/drawing.ts'
import { imageTypeOf } from '../../../../state/files/kind.ts'
import { nameIn, shownName } from '../../../../state/files/tree.ts'
import { formatBytes } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from '../files/text.ts'

const ZOOMS = [0.1, 0.25, 0.5, 1, 2, 4, 8]

/** On squares, so that what can be seen through is seen. As a picture an SVG runs no script and loads nothing. */
export function ImageFile({ path }: { path: string }) {
  const { id } = useOpenConversation()
  const { data, error, refetch } = useQuery(fileBytesQuery(useClient(), id, path))
  const [address, setAddress] = useState<string | null>(null)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [isBroken, setBroken] = useState(false)
  const [isTooLarge, setTooLarge] = useState(false)
  const [zoom, setZoom] = useState(3)
  // The address belongs to the page until it is given back.
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(new Blob([data], { type: imageTypeOf(path) ?? '' }))
    const isWanted = new AbortController()
    void isShownSoon(data, path).then(isSoon => {
      if (isWanted.signal.aborted) return
      if (isSoon) setAddress(made)
      else setTooLarge(true)
    })
    return () => {
      isWanted.abort()
      URL.revokeObjectURL(made)
    }
  }, [data, path])
  if (error && !data)
    return (
      <div className="p-4">
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (isTooLarge) return <EmptyState title={t('drawingTooLarge')} />
  if (!data || !address) return <Skeleton label={t('loading')} className="p-4" />
  if (isBroken) return <EmptyState title={t('imageBroken')} />
  const factor = ZOOMS[zoom] ?? 1
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div tabIndex={0} className="checkerboard flex min-h-0 flex-1 overflow-auto p-4">
        <img
          alt={shownName(nameIn(path))}
          src={address}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
          onError={() => setBroken(true)}
          style={size ? { width: size.width * factor, maxWidth: 'none' } : undefined}
          className="m-auto shrink-0 [image-rendering:pixelated]"
        />
      </div>
      <footer className="flex shrink-0 items-center gap-2 border-line border-t px-4 py-2">
        <span className="flex-1 text-soft tabular">
          {size &&
            t('imageSize', { width: String(size.width), height: String(size.height), size: formatBytes(data.size) })}
        </span>
        <Button size="small" onClick={() => setZoom(Math.max(0, zoom - 1))}>
          {t('zoomOut')}
        </Button>
        <Button size="small" onClick={() => setZoom(3)}>
          {t('actualSize')}
        </Button>
        <Button size="small" onClick={() => setZoom(Math.min(ZOOMS.length - 1, zoom + 1))}>
          {t('zoomIn')}
        </Button>
      </footer>
    </>
  )
}

/** A drawing is a program that could draw without end. */
async function isShownSoon(data: Blob, path: string): Promise<boolean> {
  return imageTypeOf(path) !== 'image/svg+xml' || isDrawnSoon(await data.text())
}
