type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'latin1'

export interface TextFile {
  text: string
  encoding: Encoding
}

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf])
const UTF16LE_BOM = Buffer.from([0xff, 0xfe])
const UTF16BE_BOM = Buffer.from([0xfe, 0xff])

/** @returns undefined for what is not text */
export function decode(bytes: Buffer): TextFile | undefined {
  if (bytes.subarray(0, 3).equals(UTF8_BOM)) return fromUtf8(bytes.subarray(3), 'utf-8-bom')
  if (bytes.length % 2 === 0) {
    const start = bytes.subarray(0, 2)
    if (start.equals(UTF16LE_BOM)) return { text: bytes.toString('utf16le', 2), encoding: 'utf-16le' }
    if (start.equals(UTF16BE_BOM)) return { text: swapped(bytes.subarray(2)).toString('utf16le'), encoding: 'utf-16be' }
  }
  if (bytes.includes(0) || bytes.subarray(0, 5).toString('latin1') === '%PDF-') return undefined
  return fromUtf8(bytes, 'utf-8') ?? fromLatin1(bytes)
}

/** @returns undefined when the encoding has no such character */
export function encode({ text, encoding }: TextFile): Buffer | undefined {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text)
    case 'utf-8-bom':
      return Buffer.concat([UTF8_BOM, Buffer.from(text)])
    case 'utf-16le':
      return Buffer.concat([UTF16LE_BOM, Buffer.from(text, 'utf16le')])
    case 'utf-16be':
      return Buffer.concat([UTF16BE_BOM, swapped(Buffer.from(text, 'utf16le'))])
    case 'latin1': {
      const bytes = Buffer.from(text, 'latin1')
      return bytes.toString('latin1') === text ? bytes : undefined
    }
  }
}

function fromUtf8(bytes: Buffer, encoding: Encoding): TextFile | undefined {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding }
  } catch {
    return undefined
  }
}

/** Any byte is a Latin-1 character; text has next to no control characters. */
function fromLatin1(bytes: Buffer): TextFile | undefined {
  let controls = 0
  for (const byte of bytes) {
    if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || (byte >= 0x7f && byte < 0xa0)) controls++
  }
  return controls * 50 <= bytes.length ? { text: bytes.toString('latin1'), encoding: 'latin1' } : undefined
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16()
}
