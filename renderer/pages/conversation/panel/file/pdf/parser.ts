/** Reads the bytes of a document, in a thread of its own beside the one that draws: the script begins by itself. */
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
