import { getDocument, type PDFDocumentProxy, type PDFPageProxy, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { Canvases, Filters } from './canvases.ts'
import { Encodings, SCRIPTS, StandardFonts } from './data.ts'
import type { PageSize, PdfProblemCode, PdfReplies, PdfReply, PdfRequest } from './messages.ts'
import { textBoxes } from './text-boxes.ts'

/** CSS pixels for each of the points in which a document counts. */
const POINT = 96 / 72
/** A picture of a page has no more, however far it is enlarged. */
const MAX_PICTURE_PIXELS = 16_000_000
const MAX_IMAGE_PIXELS = 40_000_000

let opened: PDFDocumentProxy | null = null

addEventListener('message', async ({ data }: MessageEvent<PdfRequest>) => {
  // The parser greets whoever has made it.
  if (!('kind' in data)) return
  try {
    const value = await answer(data)
    postMessage({ kind: 'reply', value } satisfies PdfReply, {
      transfer: 'picture' in value ? [value.picture] : [],
    })
  } catch (error) {
    postMessage({ kind: 'problem', code: codeOf(error) } satisfies PdfReply)
  }
})

async function answer(request: PdfRequest): Promise<PdfReplies[PdfRequest['kind']]> {
  if (request.kind === 'open') return open(request.data)
  const page = await opened?.getPage(request.page)
  if (!page) throw new Error('No document is open.')
  try {
    return request.kind === 'draw' ? await draw(page, request.width) : await textBoxes(page, POINT)
  } finally {
    page.cleanup()
  }
}

/** Nothing in a document runs: no scripts, no forms, no links, and no fonts that the system would read. */
async function open(data: ArrayBuffer): Promise<PdfReplies['open']> {
  const port = new Worker(new URL('./parser.ts', import.meta.url), { type: 'module' })
  opened = await getDocument({
    data: new Uint8Array(data),
    worker: PDFWorker.create({ port, verbosity: 0 }),
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    isImageDecoderSupported: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    useWasm: false,
    wasmUrl: SCRIPTS,
    useWorkerFetch: false,
    CanvasFactory: Canvases,
    FilterFactory: Filters,
    CMapReaderFactory: Encodings,
    StandardFontDataFactory: StandardFonts,
  }).promise
  return { pages: opened.numPages, first: sizeOf(await opened.getPage(1)) }
}

async function draw(page: PDFPageProxy, width: number): Promise<PdfReplies['draw']> {
  const size = sizeOf(page)
  const most = Math.sqrt(MAX_PICTURE_PIXELS / (size.width * size.height))
  const viewport = page.getViewport({ scale: POINT * Math.min(width / size.width, most) })
  const canvas = new OffscreenCanvas(Math.max(1, Math.floor(viewport.width)), Math.max(1, Math.floor(viewport.height)))
  const canvasContext = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  // It is a canvas in all that drawing asks of it.
  await page.render({ canvas: null, canvasContext: canvasContext as unknown as CanvasRenderingContext2D, viewport })
    .promise
  return { picture: canvas.transferToImageBitmap(), size }
}

function sizeOf(page: PDFPageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: POINT })
  return { width, height }
}

function codeOf(error: unknown): PdfProblemCode {
  return error instanceof Error && error.name === 'PasswordException' ? 'password' : 'damaged'
}
