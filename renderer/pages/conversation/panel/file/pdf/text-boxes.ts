import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextBox } from './messages.ts'

/** What a page has beyond these cannot be selected. */
const MAX_BOXES = 5_000
const MAX_LETTERS = 1_000
/** How much of the height of a line is above its base, in the usual font. */
const ASCENT = 0.8

/** Where the letters of a page are, in CSS pixels at the actual size. @param point CSS pixels for each point */
export async function textBoxes(page: PDFPageProxy, point: number): Promise<TextBox[]> {
  const { transform } = page.getViewport({ scale: point })
  const rule = new OffscreenCanvas(1, 1).getContext('2d')
  const boxes: TextBox[] = []
  const reader = page.streamTextContent().getReader()
  while (boxes.length < MAX_BOXES) {
    const { done, value } = await reader.read()
    if (done) break
    for (const item of value.items.slice(0, MAX_BOXES - boxes.length)) {
      if (!('str' in item) || item.str.trim() === '') continue
      const [a, b, c, d, left, top] = multiplied(transform, item.transform)
      const height = Math.hypot(c, d)
      if (!(height > 0.5) || ![a, b, left, top].every(Number.isFinite)) continue
      const angle = Math.atan2(b, a)
      const text = item.str.slice(0, MAX_LETTERS)
      if (rule) rule.font = `${height}px sans-serif`
      const usual = rule?.measureText(text).width ?? 0
      const wide = item.width * point
      boxes.push({
        text,
        left: left + height * ASCENT * Math.sin(angle),
        top: top - height * ASCENT * Math.cos(angle),
        height,
        angle,
        stretch: usual > 0 && wide > 0 ? Math.min(10, Math.max(0.1, wide / usual)) : 1,
        isRightToLeft: item.dir === 'rtl',
      })
    }
  }
  await reader.cancel()
  return boxes
}

type Matrix = readonly [number, number, number, number, number, number]

/** Two transformations, the second one first, each as PDF writes them. */
function multiplied(outer: readonly number[], inner: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
