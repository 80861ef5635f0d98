/** A rectangle on a picture, in fractions of its size. */
export interface Mark {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Smaller ones were clicks. */
const MIN_SIDE = 0.01

/** What a pointer drew from one place to another, inside of the picture; null for a click. */
export function markBetween(from: Point, to: Point): Mark | null {
  const [left, right] = [inside(Math.min(from.x, to.x)), inside(Math.max(from.x, to.x))]
  const [top, bottom] = [inside(Math.min(from.y, to.y)), inside(Math.max(from.y, to.y))]
  const mark = { x: left, y: top, width: right - left, height: bottom - top }
  return mark.width < MIN_SIDE && mark.height < MIN_SIDE ? null : mark
}

/** One to begin with where nothing is drawn; each lies a little beside those before it. */
export function addedMark(marks: readonly Mark[]): Mark {
  const at = 0.3 + (marks.length % 8) * KEY_STEP
  return { x: at, y: at, width: 0.25, height: 0.15 }
}

const KEY_STEP = 0.02
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
}

/** What an arrow key makes of a mark, inside of the picture: it moves, or with Shift changes its size. null for other keys. */
export function markAfterKey(mark: Mark, { key, shiftKey }: { key: string; shiftKey: boolean }): Mark | null {
  const arrow = ARROWS[key]
  if (!arrow) return null
  const [right, down] = arrow
  if (!shiftKey) {
    const x = Math.min(inside(mark.x + right), 1 - mark.width)
    const y = Math.min(inside(mark.y + down), 1 - mark.height)
    return { ...mark, x, y }
  }
  const side = (before: number, change: number, room: number) =>
    Math.min(Math.max(before + change, KEY_STEP), Math.max(room, before))
  return { ...mark, width: side(mark.width, right, 1 - mark.x), height: side(mark.height, down, 1 - mark.y) }
}

function inside(value: number): number {
  return Math.min(1, Math.max(0, value))
}

const COLOUR = '#e5484d'

/**
 * The picture with its marks, as a `data:` address of a PNG; each has its number at its corner. What shows through a page
 * without a ground of its own is white, as in a browser.
 */
export async function drawMarks(picture: string, marks: readonly Mark[]): Promise<string> {
  const image = new Image()
  image.src = picture
  await image.decode()
  const canvas = document.createElement('canvas')
  const { naturalWidth, naturalHeight } = image
  Object.assign(canvas, { width: naturalWidth, height: naturalHeight })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('A picture cannot be drawn here.')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, naturalWidth, naturalHeight)
  context.drawImage(image, 0, 0)
  const unit = Math.max(2, Math.round(naturalWidth / 400))
  context.font = `bold ${unit * 7}px sans-serif`
  context.textBaseline = 'top'
  for (const [index, { x, y, width, height }] of marks.entries()) {
    const [left, top] = [x * naturalWidth, y * naturalHeight]
    const number = String(index + 1)
    context.strokeStyle = COLOUR
    context.lineWidth = unit
    context.strokeRect(left, top, width * naturalWidth, height * naturalHeight)
    context.fillStyle = COLOUR
    context.fillRect(left, top, context.measureText(number).width + unit * 4, unit * 9)
    context.fillStyle = '#ffffff'
    context.fillText(number, left + unit * 2, top + unit)
  }
  return canvas.toDataURL('image/png')
}
