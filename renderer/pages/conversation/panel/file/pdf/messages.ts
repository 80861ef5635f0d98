/** What the window asks the worker of a document; each is answered once, in its turn. */
export type PdfRequest =
  | { kind: 'open'; data: ArrayBuffer }
  /** `width`: of the picture, in pixels. Pages are counted from 1. */
  | { kind: 'draw'; page: number; width: number }
  | { kind: 'text'; page: number }

export interface PageSize {
  /** In CSS pixels at the actual size. */
  width: number
  height: number
}

/** A run of letters where it is drawn, in CSS pixels at the actual size. */
export interface TextBox {
  text: string
  left: number
  top: number
  height: number
  /** In radians, clockwise. */
  angle: number
  /** How much wider the page draws it than the font of the window would. */
  stretch: number
  isRightToLeft: boolean
}

export interface PdfReplies {
  open: { pages: number; first: PageSize }
  draw: { picture: ImageBitmap; size: PageSize }
  text: TextBox[]
}

/** `slow` is decided by the window: a worker that does not answer says nothing. */
export type PdfProblemCode = 'password' | 'damaged' | 'slow'

export type PdfReply =
  | { kind: 'reply'; value: PdfReplies[PdfRequest['kind']] }
  | { kind: 'problem'; code: PdfProblemCode }
