import { useCallback, useEffect, useState } from 'react'
import { t } from './text.ts'

/** Widths of the page in CSS pixels; none for that of the panel. */
export const WIDTHS = [
  { name: 'fill', pixels: null, title: t('widthOfPanel') },
  { name: 'phone', pixels: 390, title: t('widthPhone') },
  { name: 'tablet', pixels: 820, title: t('widthTablet') },
  { name: 'desktop', pixels: 1280, title: t('widthDesktop') },
] as const
export type Width = (typeof WIDTHS)[number]['name']

/** Chromium draws nothing smaller. */
const MIN_ZOOM = 0.25

/** Gives a page its width: one that is wider than its place is drawn smaller. */
export function useWidth(chosen: Width, zoom: (factor: number) => void) {
  const [room, setRoom] = useState(0)
  const attach = useCallback((place: HTMLElement | null) => {
    if (!place) return
    const watch = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      // While another tab is shown there is none, and the page keeps its size.
      if (width > 0) setRoom(width)
    })
    watch.observe(place)
    return () => watch.disconnect()
  }, [])
  const pixels = WIDTHS.find(({ name }) => name === chosen)?.pixels ?? null
  const factor = pixels === null || room === 0 ? 1 : Math.min(1, Math.max(MIN_ZOOM, room / pixels))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way to zoom is another one with each rendering
  useEffect(() => zoom(factor), [factor])
  return { attach, width: pixels === null ? '100%' : `${Math.round(pixels * factor)}px` }
}
