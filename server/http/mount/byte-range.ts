import type { ByteRange } from '../../domain/sandbox-handle.ts'

/**
 * The bytes that a header `Range` asks for: https://www.rfc-editor.org/rfc/rfc9110#section-14. Several ranges, other units and
 * what cannot be satisfied ask for the whole, which a server may always send.
 */
export function rangeIn(header: string | undefined, sizeBytes: number): ByteRange {
  const whole = { start: 0, length: sizeBytes }
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return whole
  if (first === '') return { start: Math.max(0, sizeBytes - Number(last)), length: Math.min(Number(last), sizeBytes) }
  const [start, end] = [Number(first), last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)]
  return start > end ? whole : { start, length: end - start + 1 }
}
