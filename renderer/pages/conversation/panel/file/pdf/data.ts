import drawingsOfScans from 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js?url'

type Found = Record<string, () => Promise<string>>

/** As scripts of the app: its policy lets nothing else be loaded. */
const FONTS = import.meta.glob('../../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
  query: '?url&inline',
  import: 'default',
}) as Found
const ENCODINGS = import.meta.glob('../../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url&inline',
  import: 'default',
}) as Found

/** The fonts that a document may use without having them. */
export class StandardFonts {
  fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    return bytesOf(FONTS, filename)
  }
}

/** What the letters of Chinese, Japanese and Korean documents mean. */
export class Encodings {
  async fetch({ name }: { name: string }) {
    return { cMapData: await bytesOf(ENCODINGS, `${name}.bcmap`), isCompressed: true }
  }
}

/** The name of the script for JPEG 2000 is put behind the address of its folder: as a fragment it changes nothing. */
export const SCRIPTS = `${new URL(drawingsOfScans, import.meta.url).href}#/`

async function bytesOf(files: Found, name: string): Promise<Uint8Array> {
  const load = Object.entries(files).find(([path]) => path.endsWith(`/${name}`))?.[1]
  if (!load) throw new Error('There is no such file.')
  const address = await load()
  return Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), letter => letter.charCodeAt(0))
}
