import { randomBytes } from 'node:crypto'

/** Windows refuses items over 2560 bytes (CRED_MAX_CREDENTIAL_BLOB_SIZE); one limit for every system. */
const MAX_ITEM_BYTES = 2000
const HEADER = 'atelier:parts:'

/** A long value as several items, or a short one as it is. Parts have names of their own, so that an old value stays whole until the header is replaced. */
export interface SplitValue {
  head: string
  parts: { suffix: string; value: string }[]
}

export function splitValue(value: string, tag = randomBytes(6).toString('hex')): SplitValue {
  if (Buffer.byteLength(value) <= MAX_ITEM_BYTES && !value.startsWith(HEADER)) return { head: value, parts: [] }
  const pieces = cutUtf8(value, MAX_ITEM_BYTES)
  return {
    head: `${HEADER}${tag}:${pieces.length}`,
    parts: pieces.map((piece, index) => ({ suffix: `#${tag}.${index}`, value: piece })),
  }
}

/** Where the rest of a value is, or undefined when the item is the value. */
export function partSuffixes(head: string): string[] | undefined {
  const [, tag, count] = /^atelier:parts:([0-9a-f]+):(\d{1,4})$/.exec(head) ?? []
  if (!tag) return undefined
  return Array.from({ length: Number(count) }, (_, index) => `#${tag}.${index}`)
}

/** Never cuts a character in two. */
function cutUtf8(text: string, maxBytes: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let bytes = 0
  for (const character of text) {
    const size = Buffer.byteLength(character)
    if (bytes + size > maxBytes) {
      pieces.push(piece)
      piece = ''
      bytes = 0
    }
    piece += character
    bytes += size
  }
  return [...pieces, piece]
}
