const SIGNATURES: readonly { type: string; matches: (bytes: Buffer) => boolean }[] = [
  { type: 'image/png', matches: bytes => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', matches: bytes => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { type: 'image/gif', matches: bytes => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) },
  { type: 'image/webp', matches: bytes => /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12)) },
]

/** The media type of an image that models take, by its first bytes, whatever its name is. */
export function imageType(bytes: Buffer): string | undefined {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.type
}
