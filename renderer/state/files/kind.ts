/** How a file is shown. */
export type Shown = 'image' | 'pdf' | 'text'

const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  // As a picture it runs no script and loads nothing.
  svg: 'image/svg+xml',
}

function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}

export function imageTypeOf(path: string): string | null {
  return IMAGES[extensionOf(path)] ?? null
}

export function shownAs(path: string): Shown {
  if (imageTypeOf(path) !== null) return 'image'
  return extensionOf(path) === 'pdf' ? 'pdf' : 'text'
}

export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path)
}

/** What a text is split at, so that it comes out as it went in. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const breaks = text.split('\n').length - 1
  return breaks > 0 && text.split('\r\n').length - 1 === breaks ? '\r\n' : '\n'
}

/** The beginning of a file as a hex dump prints it. */
export function hexLines(bytes: Uint8Array): string[] {
  return Array.from({ length: Math.ceil(bytes.length / 16) }, (_, line) => {
    const row = [...bytes.subarray(line * 16, line * 16 + 16)]
    const hex = row.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const text = row.map(byte => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
    return `${(line * 16).toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${text}`
  })
}
