/** More pixels than that are not kept for one canvas: 256 MB. */
const MAX_PIXELS = 64_000_000

/** Says, in the place of a filter, that the next picture is drawn as a mask of its brightness. */
const LUMINOSITY = 'luminosity'

/** Canvases outside of a page. They are drawn by the processor: what they are drawn from is hostile. */
export class Canvases {
  create(width: number, height: number) {
    this.#check(width, height)
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) throw new Error('There is no canvas to draw on.')
    return { canvas, context: withMasks(context) }
  }

  reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number): void {
    this.#check(width, height)
    canvas.width = width
    canvas.height = height
  }

  destroy(made: { canvas: OffscreenCanvas | null; context: unknown }): void {
    if (made.canvas) made.canvas.width = made.canvas.height = 0
    made.canvas = null
    made.context = null
  }

  #check(width: number, height: number): void {
    if (!(width > 0 && height > 0 && width * height <= MAX_PIXELS)) throw new Error('The canvas has no fitting size.')
  }
}

/** Filters of SVG, with which a page would do the same, are there in documents alone. */
export class Filters {
  addFilter = () => 'none'
  addHCMFilter = () => 'none'
  addHighlightHCMFilter = () => 'none'
  addAlphaFilter = () => 'none'
  addLuminosityFilter = () => LUMINOSITY
  destroy = () => {}
}

function withMasks(context: OffscreenCanvasRenderingContext2D): OffscreenCanvasRenderingContext2D {
  const draw = context.drawImage.bind(context) as (picture: CanvasImageSource, ...place: number[]) => void
  let isMask = false
  Object.defineProperty(context, 'filter', {
    get: () => 'none',
    set: filter => {
      isMask = filter === LUMINOSITY
    },
  })
  context.drawImage = (picture: CanvasImageSource, ...place: number[]) => {
    const [x = 0, y = 0, width = 0, height = 0, ...to] = place
    const [left = 0, top = 0, toWidth = 0, toHeight = 0] = to
    if (!isMask || place.length !== 8) return draw(picture, ...place)
    isMask = false
    draw(brightness(picture, { x, y, width, height }), 0, 0, width, height, left, top, toWidth, toHeight)
  }
  return context
}

/** As opaque as the picture is bright, by the weights of the PDF specification (11.5.3). */
function brightness(
  picture: CanvasImageSource,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): OffscreenCanvas {
  const mask = new OffscreenCanvas(width, height)
  const context = mask.getContext('2d', { willReadFrequently: true })
  if (!context) return mask
  context.drawImage(picture, x, y, width, height, 0, 0, width, height)
  const pixels = context.getImageData(0, 0, width, height)
  const { data } = pixels
  for (let at = 0; at < data.length; at += 4) {
    const light = 0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0)
    data[at + 3] = (light * (data[at + 3] ?? 0)) / 255
  }
  context.putImageData(pixels, 0, 0)
  return mask
}
