/** The framing of git's protocols, https://git-scm.com/docs/protocol-common: four hexadecimal digits of length, then bytes. */

/** The end of a part. */
export const FLUSH = Buffer.from('0000')
/** Between the parts of one message, in version 2 of the protocol. */
export const DELIMITER = Buffer.from('0001')

const LENGTH_DIGITS = 4

export function pktLine(content: string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from((bytes.length + LENGTH_DIGITS).toString(16).padStart(LENGTH_DIGITS, '0')), bytes])
}

/** Every line of what came whole; null stands for a flush. @throws RangeError for bytes that are no such lines */
export function* pktLines(bytes: Buffer): Generator<Buffer | null> {
  let at = 0
  while (at < bytes.length) {
    const digits = bytes.toString('latin1', at, at + LENGTH_DIGITS)
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
    const end = at + Math.max(length, LENGTH_DIGITS)
    if ((length !== 0 && length < LENGTH_DIGITS) || end > bytes.length) throw new RangeError('no pkt-line')
    yield length === 0 ? null : bytes.subarray(at + LENGTH_DIGITS, end)
    at = end
  }
}
